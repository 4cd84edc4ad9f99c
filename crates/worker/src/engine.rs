//! A JVM under control, as the rest of the program sees it.
#![allow(
    unsafe_code,
    reason = "methods are called by number; their types are stated where the number is found"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use raddle_classpath::Jdk;
use raddle_instrument::{LeftAlone, Platform, Site};
use raddle_plan::{Order, Place};

use crate::agent::{Agent, Rewriting};
use crate::callers;
use crate::error::{EngineError, JavaException};
use crate::jni::{self, Env, Global, MethodId, Object, Thrown, Value};
use crate::libjvm::LibJvm;
use crate::options::JvmOptions;
use crate::plan_bytecode::Helper;
use crate::serve::{Batch, BatchOptions};
use crate::stacks::{Activity, Observer, OnStall, Stacks};
use crate::wire::{self, Context, SiteFacts};
use crate::{natives, runtime};

/// As much as other threads have. With more, calls that never end take long to overflow it.
const STACK: usize = 512 << 10;
/// The first JDK that can be controlled.
const OLDEST: u32 = 17;
/// Local references of one call into the JVM; the JVM makes room for more.
const REFERENCES: i32 = 64;
/// A stack deeper than this says nothing more.
const MAX_FRAMES: i32 = 64;

/// A plan to make the current one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadRequest {
    /// Jars and directories with the classes under test.
    pub class_path: Vec<PathBuf>,
    /// Name of the lowered plan's class.
    pub class_name: String,
    /// The lowered plan.
    pub class_bytes: Vec<u8>,
    /// Classes that it makes objects of.
    pub helpers: Vec<Helper>,
    /// How many threads the plan has, besides the one that runs its prefix.
    pub threads: usize,
    /// The thread that makes each call, in the order of the calls' numbers.
    pub calls: Vec<u32>,
    /// How many variables the plan has.
    pub vars: usize,
    /// Classes whose static state is made anew before every run, as binary names with dots.
    pub resets: Vec<String>,
    /// Classes that are not initialised before a run, but in it, as binary names with dots.
    pub uninitialised: Vec<String>,
    /// Whether the classes of the class path may stay loaded from one plan to the next.
    pub keep_classes: bool,
    /// The package that the plan is in, if it uses what only that package sees.
    pub package: Option<String>,
}

/// Classes that stay loaded.
struct Kept {
    class_path: Vec<PathBuf>,
    package: Option<String>,
    /// Internal names of those whose static state can be reset.
    resettable: BTreeSet<String>,
    /// Internal names of those that are initialised in the run: their own initialisers do nothing, which no other plan must see.
    uninitialised: Vec<String>,
    plans: u32,
}

/// Plans with the same classes. Static state that nobody knows of goes from one plan to the next, so not for ever.
const KEPT_PLANS: u32 = 64;

/// How the classes of the class path are loaded, numbered as in `java/java/lang/RaddleEngine.java`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Classes {
    Own = 0,
    Kept = 1,
    Reused = 2,
}

/// The JVM of this process.
pub struct Engine {
    agent: &'static Agent,
    jobs: Sender<Job>,
    observer: Observer,
    activity: Arc<Activity>,
    version: String,
    calls: Vec<u32>,
    /// Internal names of classes whose static state the current plan changes.
    resets: BTreeSet<String>,
    kept: Option<Kept>,
}

/// Something for the JVM's main thread to do.
type Job = Box<dyn FnOnce(&Session) + Send>;

impl Engine {
    /// Starts the JVM. A process can do this once.
    pub fn start(options: &JvmOptions) -> Result<Self, EngineError> {
        let jdk = Jdk::open(&options.home)?;
        if jdk.feature() < OLDEST {
            return Err(EngineError::TooOld {
                home: options.home.clone(),
                version: jdk.version().to_owned(),
            });
        }
        if !Agent::is_exported() {
            return Err(EngineError::NotExported);
        }
        let library = LibJvm::load(jdk.home())?;
        let (version, feature) = (jdk.version().to_owned(), jdk.feature());
        let platform = move |name: &str| jdk.find(name).ok()?.map(|(bytes, _)| bytes.into_owned());
        let rewriting = raddle_instrument::Options {
            unplugged: options.unplugged.clone(),
            platform: Some(Platform::new(platform)),
        };
        let agent = Agent::install(rewriting).ok_or(EngineError::SecondJvm)?;
        natives::remember_cpus();
        let arguments = options.arguments(feature);
        let cpu = options.cpu.and_then(|cpu| i32::try_from(cpu).ok()).unwrap_or(-1);
        let activity = Arc::new(Activity::default());
        let shared = Arc::clone(&activity);
        let (jobs, incoming) = mpsc::channel();
        let (started, outcome) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name(String::from("raddle-jvm"))
            .stack_size(STACK)
            .spawn(
                move || match Session::open(&library, &arguments, agent, cpu, shared) {
                    Ok((session, observer)) => {
                        let _ = started.send(Ok(observer));
                        session.serve(&incoming);
                    }
                    Err(problem) => {
                        let _ = started.send(Err(problem));
                    }
                },
            )
            .map_err(EngineError::Thread)?;
        let observer = outcome.recv().map_err(|_| EngineError::Gone)??;
        Ok(Self {
            agent,
            jobs,
            observer,
            activity,
            version,
            calls: Vec::new(),
            resets: BTreeSet::new(),
            kept: None,
        })
    }

    /// Version of the JDK, `17.0.15`.
    pub fn jdk_version(&self) -> &str {
        &self.version
    }

    /// Makes a plan the one that batches run.
    pub fn load(&mut self, mut request: LoadRequest) -> Result<(), EngineError> {
        self.calls = std::mem::take(&mut request.calls);
        let calls = self.calls.len();
        request
            .resets
            .retain(|class| !request.uninitialised.contains(class));
        let names = request.resets.iter().chain(&request.uninitialised);
        let resets: BTreeSet<String> = names.map(|name| name.replace('.', "/")).collect();
        self.resets.clone_from(&resets);
        let classes = self.classes(&request, resets);
        self.call(move |session| session.load(&request, calls, classes))
    }

    /// Whether the classes of the plan before will do.
    fn classes(&mut self, request: &LoadRequest, resets: BTreeSet<String>) -> Classes {
        let uninitialised: Vec<String> = request
            .uninitialised
            .iter()
            .map(|name| name.replace('.', "/"))
            .collect();
        self.agent.open_package(request.package.as_deref());
        self.agent.defer(uninitialised.clone());
        if !request.keep_classes {
            self.kept = None;
            self.agent.make_resettable(resets.into_iter().collect());
            return Classes::Own;
        }
        let of_before = self.kept.take().filter(|kept| {
            kept.class_path == request.class_path
                && kept.package == request.package
                && kept.uninitialised == uninitialised
        });
        if let Some(mut kept) = of_before {
            kept.plans += 1;
            if kept.plans < KEPT_PLANS && resets.is_subset(&kept.resettable) {
                self.kept = Some(kept);
                return Classes::Reused;
            }
            // What had to be reset once will have to be again.
            kept.resettable.extend(resets);
            kept.plans = 0;
            self.kept = Some(kept);
        } else {
            self.kept = Some(Kept {
                class_path: request.class_path.clone(),
                package: request.package.clone(),
                resettable: resets,
                uninitialised,
                plans: 0,
            });
        }
        let resettable = self.kept.iter().flat_map(|kept| kept.resettable.iter().cloned());
        self.agent.make_resettable(resettable.collect());
        Classes::Kept
    }

    /// Runs the current plan once per order.
    pub fn batch(&self, options: BatchOptions, orders: &[Order]) -> Result<Batch, EngineError> {
        let has_lasting = self
            .resets
            .iter()
            .any(|name| self.agent.must_be_loaded_anew(name));
        let request = wire::request(options, has_lasting, orders);
        callers::forget();
        let answer = self.call(move |session| session.batch(&request))?;
        let context = Context {
            calls: &self.calls,
            options,
            site: &|id| self.agent.site(id).map(|site| facts(&site)),
            callers: &callers::of,
        };
        wire::answer(&answer, &context).map_err(|reason| EngineError::Answer {
            reason: reason.to_string(),
        })
    }

    /// The classes and methods that are not under control, of all that were loaded so far.
    pub fn left_alone(&self) -> Vec<LeftAlone> {
        self.agent.left_alone()
    }

    /// How much was rewritten so far.
    pub fn rewriting(&self) -> Rewriting {
        self.agent.rewriting()
    }

    /// Tells what all threads are doing, also while a batch is under way.
    pub fn stacks(&self) -> Stacks {
        self.observer.stacks.clone()
    }

    /// From here on, `tell` is called when a batch or a load makes no progress for so long. It is called on a thread of
    /// its own, once per standstill.
    pub fn watch(&self, after: Duration, tell: OnStall) {
        self.observer.watch(after, tell);
    }

    /// Has the JVM's main thread do something.
    fn call<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Session) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let (answer, result) = mpsc::sync_channel(1);
        let _working = self.activity.begin();
        self.jobs
            .send(Box::new(move |session| {
                let _ = answer.send(job(session));
            }))
            .map_err(|_| EngineError::Gone)?;
        result.recv().map_err(|_| EngineError::Gone)?
    }
}

fn facts(site: &Site) -> SiteFacts {
    SiteFacts {
        place: Place {
            class: site.class.to_string(),
            method: site.method.to_string(),
            descriptor: site.descriptor.to_string(),
            bci: u32::from(site.bci),
            source: site.source.as_ref().map(ToString::to_string),
            line: site.line.map(u32::from),
        },
        target: site.target.as_deref().cloned(),
    }
}

/// The JVM as its main thread sees it.
struct Session {
    env: Env<'static>,
    engine: Global,
    load: MethodId,
    batch: MethodId,
    strings: Global,
    byte_arrays: Global,
}

impl Session {
    fn open(
        library: &LibJvm,
        arguments: &[String],
        agent: &Agent,
        cpu: i32,
        activity: Arc<Activity>,
    ) -> Result<(Self, Observer), EngineError> {
        let (vm, env) = library.create(arguments)?;
        // Before it can be stuck, and before threads are announced, of which it is none.
        let observer = Observer::start(vm, activity)?;
        let hooks = class(env, runtime::HOOKS)?;
        let began = thrown(
            env,
            env.static_method(hooks.object(), c"began", c"(Ljava/lang/Thread;)V"),
        )?;
        let engine = class(env, runtime::ENGINE)?;
        let start = thrown(env, env.static_method(engine.object(), c"start", c"(I)V"))?;
        let load = c"([Ljava/lang/String;[Ljava/lang/String;[[BIII[Ljava/lang/String;[Ljava/lang/String;I)V";
        let load = thrown(env, env.static_method(engine.object(), c"load", load))?;
        let batch = thrown(env, env.static_method(engine.object(), c"batch", c"([B)[B"))?;
        let strings = class(env, c"java/lang/String")?;
        let byte_arrays = class(env, c"[B")?;
        agent
            .announce_threads(hooks, began)
            .map_err(|reason| EngineError::Runtime { reason })?;
        // SAFETY: `start` is a static method of that class that takes an int.
        let begun = unsafe { env.call_static_void(engine.object(), start, &[Value::from(cpu)]) };
        thrown(env, begun)?;
        let session = Self {
            env,
            engine,
            load,
            batch,
            strings,
            byte_arrays,
        };
        Ok((session, observer))
    }

    /// Does jobs until nobody can send any more.
    fn serve(&self, jobs: &Receiver<Job>) {
        for job in jobs {
            job(self);
        }
    }

    fn load(&self, request: &LoadRequest, calls: usize, loading: Classes) -> Result<(), EngineError> {
        self.framed(|env| {
            let path: Vec<String> = request.class_path.iter().map(|entry| file_name(entry)).collect();
            // The plan comes first.
            let mut names = vec![request.class_name.clone()];
            let mut classes = vec![request.class_bytes.as_slice()];
            for helper in &request.helpers {
                names.push(helper.class_name.clone());
                classes.push(&helper.bytes);
            }
            let arguments = [
                Value::from(self.texts(env, &path)?),
                Value::from(self.texts(env, &names)?),
                Value::from(self.files(env, &classes)?),
                Value::from(int(request.threads)),
                Value::from(int(calls)),
                Value::from(int(request.vars)),
                Value::from(self.texts(env, &request.resets)?),
                Value::from(self.texts(env, &request.uninitialised)?),
                Value::from(loading as i32),
            ];
            // SAFETY: `load` is a static method of that class with these parameters, see `open`.
            unsafe { env.call_static_void(self.engine.object(), self.load, &arguments) }
        })
    }

    /// An array of strings.
    fn texts<'e>(&self, env: Env<'e>, texts: &[String]) -> jni::Outcome<'e, Object<'e>> {
        let array = env.new_object_array(self.strings.object(), texts.len())?;
        for (index, text) in texts.iter().enumerate() {
            let text = env.new_string(text)?;
            env.set_element(array, index, text)?;
            env.delete_local(text);
        }
        Ok(array)
    }

    /// An array of byte arrays.
    fn files<'e>(&self, env: Env<'e>, files: &[&[u8]]) -> jni::Outcome<'e, Object<'e>> {
        let array = env.new_object_array(self.byte_arrays.object(), files.len())?;
        for (index, bytes) in files.iter().enumerate() {
            let bytes = env.new_byte_array(bytes)?;
            env.set_element(array, index, bytes)?;
            env.delete_local(bytes);
        }
        Ok(array)
    }

    fn batch(&self, request: &[u8]) -> Result<Vec<u8>, EngineError> {
        self.framed(|env| {
            let arguments = [Value::from(env.new_byte_array(request)?)];
            // SAFETY: `batch` is a static method of that class from byte[] to byte[], see `open`.
            let answer = unsafe { env.call_static_object(self.engine.object(), self.batch, &arguments) }?;
            Ok(env.bytes(answer))
        })
    }

    /// Runs `body` with local references of its own; what it throws is described before they go.
    fn framed<T>(&self, body: impl FnOnce(Env<'_>) -> jni::Outcome<'_, T>) -> Result<T, EngineError> {
        let result = self.env.with_local_frame(REFERENCES, |env| {
            let outcome = body(env);
            thrown(env, outcome)
        });
        result.unwrap_or_else(|| {
            Err(EngineError::Thrown(JavaException {
                class: String::from("java.lang.OutOfMemoryError"),
                message: String::from("no room for a call"),
                frames: Vec::new(),
            }))
        })
    }
}

/// Java's file names are text. One that is none does not exist for it either.
fn file_name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Nothing that is counted comes near the end of Java's integers.
fn int(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

fn class(env: Env<'_>, name: &std::ffi::CStr) -> Result<Global, EngineError> {
    let class = thrown(env, env.find_class(name))?;
    let kept = env.new_global(class);
    env.delete_local(class);
    kept.ok_or_else(|| EngineError::Runtime {
        reason: String::from("no memory for references"),
    })
}

fn thrown<T>(env: Env<'_>, outcome: jni::Outcome<'_, T>) -> Result<T, EngineError> {
    outcome.map_err(|Thrown(exception)| EngineError::Thrown(describe(env, exception)))
}

/// What an exception says of itself, as far as it can.
fn describe(env: Env<'_>, exception: Object<'_>) -> JavaException {
    let class = env.class_of(exception);
    let text = |object: Object<'_>, owner: Object<'_>, method: &std::ffi::CStr| {
        let method = env.method(owner, method, c"()Ljava/lang/String;").ok()?;
        // SAFETY: this is a method of the object's class without parameters that returns a string.
        let text = unsafe { env.call_object(object, method) }.ok()?;
        Some(env.text(text))
    };
    let frames = || {
        let method = env
            .method(class, c"getStackTrace", c"()[Ljava/lang/StackTraceElement;")
            .ok()?;
        // SAFETY: this is a method of the exception's class without parameters that returns an array.
        let array = unsafe { env.call_object(exception, method) }.ok()?;
        let count = if array.is_null() {
            0
        } else {
            env.array_length(array).min(MAX_FRAMES)
        };
        let frames = (0..count).filter_map(|index| {
            let frame = env.element(array, index).ok()?;
            let line = text(frame, env.class_of(frame), c"toString");
            env.delete_local(frame);
            line
        });
        Some(frames.collect())
    };
    JavaException {
        class: text(class, env.class_of(class), c"getName").unwrap_or_default(),
        message: text(exception, class, c"getMessage").unwrap_or_default(),
        frames: frames().unwrap_or_default(),
    }
}
