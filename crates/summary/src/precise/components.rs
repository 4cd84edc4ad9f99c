//! Strongly connected components, by Tarjan's algorithm with an explicit stack.

const UNSEEN: usize = usize::MAX;

/// Components of a graph given as successor lists; a component comes after all those it can reach.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let count = successors.len();
    let mut order = vec![UNSEEN; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let mut open = Vec::new();
    let mut found = Vec::new();
    let mut clock = 0;
    let mut work: Vec<(usize, usize)> = Vec::new();
    for start in 0..count {
        if order[start] != UNSEEN {
            continue;
        }
        work.push((start, 0));
        while let Some((node, edge)) = work.last_mut() {
            let node = *node;
            if *edge == 0 && order[node] == UNSEEN {
                order[node] = clock;
                low[node] = clock;
                clock += 1;
                on_stack[node] = true;
                open.push(node);
            }
            if let Some(&next) = successors[node].get(*edge) {
                *edge += 1;
                if order[next] == UNSEEN {
                    work.push((next, 0));
                } else if on_stack[next] {
                    low[node] = low[node].min(order[next]);
                }
                continue;
            }
            work.pop();
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                let at = open.iter().rposition(|&member| member == node).unwrap_or(0);
                let component = open.split_off(at);
                for &member in &component {
                    on_stack[member] = false;
                }
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn callees_come_first_and_cycles_together() {
        // 0 -> 1 <-> 2 -> 3, 4 -> 4
        let found = components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4]]);
        let sorted: Vec<Vec<usize>> = found
            .into_iter()
            .map(|mut component| {
                component.sort_unstable();
                component
            })
            .collect();
        assert_eq!(sorted, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
