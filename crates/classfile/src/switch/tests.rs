//! Switches at every alignment, and ranges made to overflow.

use crate::decode::decode;
use crate::{ClassFileError, Insn};

/// A switch at `pc` with those operands, in code of 200 bytes.
fn code(opcode: u8, pc: usize, operands: &[i32]) -> Vec<u8> {
    let mut code = vec![0; pc];
    code.push(opcode);
    code.resize(code.len().next_multiple_of(4), 0xee);
    code.extend(operands.iter().flat_map(|operand| operand.to_be_bytes()));
    code.resize(code.len().max(200), 0);
    code
}

#[test]
fn table_switches_at_every_alignment() {
    for pc in 0..8_u32 {
        let code = code(0xaa, pc as usize, &[30, -1, 1, 10, 20, -(pc.cast_signed())]);
        let (Insn::TableSwitch(switch), next) = decode(&code, pc).unwrap() else {
            panic!("a table switch")
        };
        assert_eq!(next, (pc + 1).next_multiple_of(4) + 24);
        assert_eq!(
            (switch.default(), switch.len(), switch.is_empty()),
            (pc + 30, 3, false)
        );
        assert_eq!(
            switch.targets().collect::<Vec<_>>(),
            [(-1, pc + 10), (0, pc + 20), (1, 0)]
        );
        let insn = Insn::TableSwitch(switch);
        assert_eq!(insn.branch_targets().to_vec(), [pc + 30, pc + 10, pc + 20, 0]);
        assert!(!insn.falls_through());
    }
}

#[test]
fn lookup_switches_at_every_alignment() {
    for pc in 0..8_u32 {
        let code = code(0xab, pc as usize, &[30, 2, i32::MIN, 10, i32::MAX, 20]);
        let (Insn::LookupSwitch(switch), next) = decode(&code, pc).unwrap() else {
            panic!("a lookup switch")
        };
        assert_eq!(next, (pc + 1).next_multiple_of(4) + 24);
        assert_eq!((switch.default(), switch.len()), (pc + 30, 2));
        assert_eq!(
            switch.targets().collect::<Vec<_>>(),
            [(i32::MIN, pc + 10), (i32::MAX, pc + 20)]
        );
    }
}

#[test]
fn a_lookup_switch_may_have_no_cases() {
    let code = code(0xab, 0, &[12, 0]);
    let (Insn::LookupSwitch(switch), 12) = decode(&code, 0).unwrap() else {
        panic!("a lookup switch")
    };
    assert!(switch.is_empty());
    assert_eq!(switch.targets().len(), 0);
}

#[test]
fn ranges_that_do_not_fit_are_refused() {
    let bad = Err(ClassFileError::BadSwitch { pc: 0 });
    for (low, high) in [
        (i32::MIN, i32::MAX),
        (0, i32::MAX),
        (1, 0),
        (i32::MAX, i32::MIN),
        (0, 47),
    ] {
        assert_eq!(decode(&code(0xaa, 0, &[0, low, high]), 0), bad, "{low}..={high}");
    }
    for count in [-1, i32::MIN, i32::MAX, 24] {
        assert_eq!(decode(&code(0xab, 0, &[0, count]), 0), bad, "{count}");
    }
}

#[test]
fn the_code_may_end_with_the_switch_but_not_before() {
    for (opcode, operands) in [(0xaa, &[0, 5, 6, 0, 0][..]), (0xab, &[0, 1, 5, 0])] {
        for pc in 0..4_usize {
            let end = (pc + 1).next_multiple_of(4) + operands.len() * 4;
            let mut code = code(opcode, pc, operands);
            code.truncate(end);
            assert_eq!(decode(&code, pc as u32).map(|(_, next)| next as usize), Ok(end));
            while code.len() > pc + 1 {
                code.pop();
                assert!(decode(&code, pc as u32).is_err(), "{} bytes", code.len());
            }
        }
    }
}

#[test]
fn targets_stay_inside_the_code() {
    let cases = [
        code(0xaa, 4, &[-5, 0, 0, 0]),
        code(0xaa, 4, &[0, 0, 0, 196]),
        code(0xab, 4, &[0, 2, 1, 0, 2, i32::MIN]),
    ];
    for code in cases {
        assert!(matches!(
            decode(&code, 4),
            Err(ClassFileError::BadBranch { pc: 4, .. })
        ));
    }
    assert!(decode(&code(0xaa, 4, &[-4, 0, 0, 195]), 4).is_ok());
}
