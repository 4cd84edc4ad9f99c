//! What collections hold: things of the type that their users say, where class files tell. A list of orders that holds texts makes
//! every method fail that looks into it.

use raddle_plan::Call;

use super::{Kind, Spot, Taste, Values, generic};
use crate::plan_draft::PlanDraft;

impl Values<'_> {
    /// A call that fills a collection with texts, with elements of its type arguments in their place; none if there are no such
    /// elements, so that it had better stay empty.
    pub(super) fn of_its_type(
        &mut self,
        draft: &mut PlanDraft,
        mut filling: Call,
        generic: &str,
        taste: Taste,
        depth: usize,
    ) -> Option<Call> {
        let arguments = generic::arguments(generic);
        for (rank, (element, signature)) in filling.args.iter_mut().zip(&arguments).enumerate() {
            let Some(name) = generic::erased(signature) else {
                continue;
            };
            let descriptor = format!("L{name};");
            let spot = Spot {
                descriptor: &descriptor,
                rank,
                makes_object: false,
                receiver: None,
                kind: Kind::default(),
                generic: signature,
            };
            *element = self.value_at(draft, spot, taste, depth + 1)?;
        }
        Some(filling)
    }
}
