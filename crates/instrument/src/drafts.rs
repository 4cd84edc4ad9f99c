//! The sites of a class while it is being rewritten.

use std::sync::Arc;

use raddle_classfile::{Code, MethodView};
use raddle_plan::Target;

use crate::emit;
use crate::hook::Hook;
use crate::pool::{self, Appendix};
use crate::site::SiteKind;
use crate::sites::{Draft, SiteClass, SiteMethod};

/// The sites and the constants of one class.
#[derive(Debug)]
pub(crate) struct Drafts {
    class: Arc<SiteClass>,
    sites: Vec<Draft>,
    pub(crate) appendix: Appendix,
}

/// How far `Drafts` was, to go back to.
#[derive(Debug)]
pub(crate) struct Mark {
    sites: usize,
    appendix: pool::Mark,
}

impl Drafts {
    pub(crate) fn new(class: SiteClass, appendix: Appendix) -> Self {
        Drafts {
            class: Arc::new(class),
            sites: Vec::new(),
            appendix,
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            sites: self.sites.len(),
            appendix: self.appendix.mark(),
        }
    }

    /// Forgets what was added since.
    pub(crate) fn back_to(&mut self, mark: &Mark) {
        self.sites.truncate(mark.sites);
        self.appendix.back_to(&mark.appendix);
    }

    /// The sites and the constants, in which the numbers of the sites are still to be set, in this order.
    pub(crate) fn finish(self) -> (Vec<Draft>, Appendix) {
        (self.sites, self.appendix)
    }
}

/// Calls of hooks in one method.
#[derive(Debug)]
pub(crate) struct Hooks<'d, 'a> {
    drafts: &'d mut Drafts,
    view: MethodView<'a>,
    code: Code<'a>,
    // Most methods of most classes have no site, so these are made with the first.
    method: Option<Arc<SiteMethod>>,
    lines: Vec<(u32, u16)>,
    // The most slots that calls need above what the original code has on the stack.
    extra_stack: u16,
}

/// What a site says about the thing that is accessed or called.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub(crate) target: Option<Arc<Target>>,
    pub(crate) volatile: Option<bool>,
}

impl<'d, 'a> Hooks<'d, 'a> {
    pub(crate) fn new(drafts: &'d mut Drafts, view: MethodView<'a>, code: Code<'a>) -> Self {
        Hooks {
            drafts,
            view,
            code,
            method: None,
            lines: Vec::new(),
            extra_stack: 0,
        }
    }

    /// Pushes the number of a new site and calls the hook. `stack` is what the call and the instructions that
    /// prepare it need above the original code's stack.
    pub(crate) fn call(
        &mut self,
        out: &mut Vec<u8>,
        (hook, kind): (Hook, SiteKind),
        pc: u32,
        about: About,
        stack: u16,
    ) {
        let site = self.drafts.appendix.site();
        emit::constant(out, site);
        emit::call(out, self.drafts.appendix.hook(hook));
        self.extra_stack = self.extra_stack.max(stack);
        let method = Arc::clone(self.method());
        self.drafts.sites.push(Draft {
            method,
            bci: pc as u16,
            line: self.line(pc),
            kind,
            target: about.target,
            volatile: about.volatile,
        });
    }

    /// Calls a hook that has no site. `stack` is what its arguments need above the original code's stack.
    pub(crate) fn call_plain(&mut self, out: &mut Vec<u8>, hook: Hook, stack: u16) {
        emit::call(out, self.drafts.appendix.hook(hook));
        self.extra_stack = self.extra_stack.max(stack);
    }

    /// Pushes a class and a string.
    pub(crate) fn push_names(&mut self, out: &mut Vec<u8>, class: &str, text: &str) {
        emit::constant(out, self.drafts.appendix.class(class));
        emit::constant(out, self.drafts.appendix.string(text));
    }

    /// The stack slots that the method needs more than before.
    pub(crate) fn extra_stack(&self) -> u16 {
        self.extra_stack
    }

    fn method(&mut self) -> &Arc<SiteMethod> {
        self.method.get_or_insert_with(|| {
            let map = self.view.line_map();
            self.lines = self.code.line_numbers();
            for (_, line) in &mut self.lines {
                *line = map.line(*line);
            }
            Arc::new(SiteMethod::new(
                &self.drafts.class,
                &self.view.name(),
                &self.view.descriptor(),
                self.view.access().is_static(),
            ))
        })
    }

    fn line(&self, pc: u32) -> Option<u16> {
        let after = self.lines.partition_point(|&(start, _)| start <= pc);
        self.lines.get(after.checked_sub(1)?).map(|&(_, line)| line)
    }
}
