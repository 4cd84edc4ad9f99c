//! The worker's end of the socket: one thread reads, any thread may write.
//!
//! The socket arrives as standard input, because that is the one descriptor that can be handed to a child without
//! unsafe code between fork and exec. It is moved away at once, so that `System.in` of the JVM is empty.

use std::fs::File;
use std::io::{self, BufReader};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use crate::protocol::{Request, Response, read_line, write_line};

/// What says what all threads are doing, once there is a JVM to ask.
pub(super) type Stacks = Arc<OnceLock<Arc<dyn Fn() -> String + Send + Sync>>>;

/// The worker's end of the socket.
pub(super) struct Channel {
    input: BufReader<UnixStream>,
    outlet: Outlet,
}

/// Where answers go.
#[derive(Clone)]
pub(super) struct Outlet(Arc<Mutex<UnixStream>>);

impl Outlet {
    pub(super) fn send(&self, response: &Response) -> io::Result<()> {
        let stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&*stream, response)
    }
}

/// Requests, as they come in while another is being worked on.
pub(super) struct Inlet {
    pub(super) requests: Receiver<Request>,
    /// Set by [`Request::Cancel`], and taken back by the next request: one that comes too late must not end that.
    pub(super) cancelled: Arc<AtomicBool>,
}

impl Channel {
    /// Takes over the socket that standard input is, and leaves an empty standard input behind.
    pub(super) fn from_stdin() -> io::Result<Channel> {
        let socket = io::stdin().as_fd().try_clone_to_owned()?;
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        Channel::new(UnixStream::from(socket))
    }

    pub(super) fn new(stream: UnixStream) -> io::Result<Channel> {
        let outlet = Outlet(Arc::new(Mutex::new(stream.try_clone()?)));
        Ok(Channel {
            input: BufReader::new(stream),
            outlet,
        })
    }

    pub(super) fn outlet(&self) -> Outlet {
        self.outlet.clone()
    }

    /// The next request. Only before [`Channel::listen`].
    pub(super) fn read(&mut self) -> io::Result<Option<Request>> {
        read_line(&mut self.input)
    }

    /// Reads on a thread of its own from now on. `gone` is called when the coordinator has gone: nobody will ever
    /// want an answer, and a batch that is under way may never end.
    pub(super) fn listen(self, stacks: Stacks, gone: impl Fn() + Send + 'static) -> io::Result<Inlet> {
        let (sender, requests) = mpsc::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let Channel { mut input, outlet } = self;
        thread::Builder::new()
            .name("raddle-requests".to_owned())
            .spawn(move || {
                while let Ok(Some(request)) = read_line(&mut input) {
                    let passed_on = match request {
                        Request::Cancel => {
                            flag.store(true, Ordering::Relaxed);
                            Ok(())
                        }
                        Request::Stacks => {
                            let text = stacks.get().map(|ask| ask()).unwrap_or_default();
                            outlet.send(&Response::Stuck { stacks: text })
                        }
                        other => {
                            flag.store(false, Ordering::Relaxed);
                            sender.send(other).map_err(io::Error::other)
                        }
                    };
                    if passed_on.is_err() {
                        break;
                    }
                }
                gone();
            })?;
        Ok(Inlet { requests, cancelled })
    }
}
