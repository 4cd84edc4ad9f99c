//! Instructions on constants, as the JVM does them. Floating point is left alone, except for conversions.

use raddle_classfile::{ArithOp, Cond, ConvertTo};

use super::value::Value;

/// A binary operation. `None` unless both are whole numbers, and for what would throw.
pub(super) fn arithmetic(op: ArithOp, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => int(op, *a, *b).map(Value::Int),
        (Value::Long(a), Value::Long(b)) => long(op, *a, *b).map(Value::Long),
        // Shifts take an int on the right. The number of bits is taken modulo 64.
        (Value::Long(a), Value::Int(b)) => long(op, *a, i64::from(*b)).map(Value::Long),
        _ => None,
    }
}

fn int(op: ArithOp, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        ArithOp::Add => a.wrapping_add(b),
        ArithOp::Sub => a.wrapping_sub(b),
        ArithOp::Mul => a.wrapping_mul(b),
        ArithOp::Div | ArithOp::Rem if b == 0 => return None,
        ArithOp::Div => a.wrapping_div(b),
        ArithOp::Rem => a.wrapping_rem(b),
        ArithOp::Shl => a.wrapping_shl(b.cast_unsigned()),
        ArithOp::Shr => a.wrapping_shr(b.cast_unsigned()),
        ArithOp::Ushr => a.cast_unsigned().wrapping_shr(b.cast_unsigned()).cast_signed(),
        ArithOp::And => a & b,
        ArithOp::Or => a | b,
        ArithOp::Xor => a ^ b,
    })
}

fn long(op: ArithOp, a: i64, b: i64) -> Option<i64> {
    let bits = b.cast_unsigned() as u32;
    Some(match op {
        ArithOp::Add => a.wrapping_add(b),
        ArithOp::Sub => a.wrapping_sub(b),
        ArithOp::Mul => a.wrapping_mul(b),
        ArithOp::Div | ArithOp::Rem if b == 0 => return None,
        ArithOp::Div => a.wrapping_div(b),
        ArithOp::Rem => a.wrapping_rem(b),
        ArithOp::Shl => a.wrapping_shl(bits),
        ArithOp::Shr => a.wrapping_shr(bits),
        ArithOp::Ushr => a.cast_unsigned().wrapping_shr(bits).cast_signed(),
        ArithOp::And => a & b,
        ArithOp::Or => a | b,
        ArithOp::Xor => a ^ b,
    })
}

/// A negation.
pub(super) fn negated(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Int(number) => Value::Int(number.wrapping_neg()),
        Value::Long(number) => Value::Long(number.wrapping_neg()),
        Value::Float(bits) => Value::Float((-f32::from_bits(*bits)).to_bits()),
        Value::Double(bits) => Value::Double((-f64::from_bits(*bits)).to_bits()),
        _ => return None,
    })
}

/// A conversion. Rust's conversions of floating point to whole numbers are those of Java.
#[expect(clippy::cast_precision_loss, reason = "so it is in Java")]
pub(super) fn converted(value: &Value, to: ConvertTo) -> Option<Value> {
    let from_long = |number: i64| match to {
        ConvertTo::Int => Value::Int(number as i32),
        ConvertTo::Long => Value::Long(number),
        ConvertTo::Float => Value::Float((number as f32).to_bits()),
        ConvertTo::Double => Value::Double((number as f64).to_bits()),
        ConvertTo::Byte => Value::Int(i32::from(number as i8)),
        ConvertTo::Char => Value::Int(i32::from(number.cast_unsigned() as u16)),
        ConvertTo::Short => Value::Int(i32::from(number as i16)),
    };
    let from_double = |number: f64| match to {
        ConvertTo::Int => Some(Value::Int(number as i32)),
        ConvertTo::Long => Some(Value::Long(number as i64)),
        ConvertTo::Float => Some(Value::Float((number as f32).to_bits())),
        ConvertTo::Double => Some(Value::Double(number.to_bits())),
        // There are no such instructions.
        ConvertTo::Byte | ConvertTo::Char | ConvertTo::Short => None,
    };
    match value {
        Value::Int(number) => Some(from_long(i64::from(*number))),
        Value::Long(number) => Some(from_long(*number)),
        Value::Float(bits) => from_double(f64::from(f32::from_bits(*bits))),
        Value::Double(bits) => from_double(f64::from_bits(*bits)),
        _ => None,
    }
}

/// A comparison of longs, as -1, 0 or 1.
pub(super) fn compared(left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Long(a), Value::Long(b)) => Some(Value::Int(a.cmp(b) as i32)),
        _ => None,
    }
}

/// Whether two ints are in a relation.
pub(super) fn holds(condition: Cond, a: i32, b: i32) -> bool {
    match condition {
        Cond::Eq => a == b,
        Cond::Ne => a != b,
        Cond::Lt => a < b,
        Cond::Ge => a >= b,
        Cond::Gt => a > b,
        Cond::Le => a <= b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_wrap_and_shift_as_in_java() {
        let fold = |op, a, b| arithmetic(op, &a, &b);
        assert_eq!(
            fold(ArithOp::Add, Value::Int(i32::MAX), Value::Int(1)),
            Some(Value::Int(i32::MIN))
        );
        assert_eq!(
            fold(ArithOp::Div, Value::Int(i32::MIN), Value::Int(-1)),
            Some(Value::Int(i32::MIN))
        );
        assert_eq!(fold(ArithOp::Rem, Value::Long(5), Value::Long(0)), None);
        assert_eq!(
            fold(ArithOp::Ushr, Value::Int(-1), Value::Int(33)),
            Some(Value::Int(i32::MAX))
        );
        assert_eq!(
            fold(ArithOp::Shl, Value::Long(1), Value::Int(-1)),
            Some(Value::Long(i64::MIN))
        );
        assert_eq!(fold(ArithOp::Add, Value::Int(1), Value::Null), None);
    }

    #[test]
    fn numbers_are_converted_as_in_java() {
        let double = |number: f64| Value::Double(number.to_bits());
        assert_eq!(
            converted(&Value::Int(200), ConvertTo::Byte),
            Some(Value::Int(-56))
        );
        assert_eq!(
            converted(&Value::Int(-1), ConvertTo::Char),
            Some(Value::Int(0xffff))
        );
        assert_eq!(
            converted(&double(1e10), ConvertTo::Int),
            Some(Value::Int(i32::MAX))
        );
        assert_eq!(
            converted(&double(f64::NAN), ConvertTo::Long),
            Some(Value::Long(0))
        );
        assert_eq!(converted(&Value::Int(3), ConvertTo::Double), Some(double(3.0)));
    }
}
