//! Primitive types and the classes that box them.

use raddle_classfile::descriptor::FieldType;

/// A primitive type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `short`
    Short,
    /// `char`
    Char,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
}

/// What every wrapper is.
const COMMON: [&str; 4] = [
    "java/lang/Object",
    "java/lang/Comparable",
    "java/io/Serializable",
    "java/lang/constant/Constable",
];

impl Primitive {
    /// All of them.
    pub const ALL: [Primitive; 8] = [
        Primitive::Boolean,
        Primitive::Byte,
        Primitive::Short,
        Primitive::Char,
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
    ];

    /// The primitive type that a field type is, if it is one.
    pub fn of(field: &FieldType<'_>) -> Option<Primitive> {
        match field {
            FieldType::Boolean => Some(Primitive::Boolean),
            FieldType::Byte => Some(Primitive::Byte),
            FieldType::Short => Some(Primitive::Short),
            FieldType::Char => Some(Primitive::Char),
            FieldType::Int => Some(Primitive::Int),
            FieldType::Long => Some(Primitive::Long),
            FieldType::Float => Some(Primitive::Float),
            FieldType::Double => Some(Primitive::Double),
            FieldType::Object(_) | FieldType::Array(_) => None,
        }
    }

    /// The primitive type of a keyword.
    pub fn from_keyword(keyword: &str) -> Option<Primitive> {
        Primitive::ALL.into_iter().find(|one| one.keyword() == keyword)
    }

    /// The primitive type that a class boxes, by internal name.
    pub fn from_wrapper(class: &str) -> Option<Primitive> {
        Primitive::ALL.into_iter().find(|one| one.wrapper() == class)
    }

    /// The letter of descriptors.
    pub const fn descriptor(self) -> &'static str {
        match self {
            Primitive::Boolean => "Z",
            Primitive::Byte => "B",
            Primitive::Short => "S",
            Primitive::Char => "C",
            Primitive::Int => "I",
            Primitive::Long => "J",
            Primitive::Float => "F",
            Primitive::Double => "D",
        }
    }

    /// The Java keyword.
    pub const fn keyword(self) -> &'static str {
        match self {
            Primitive::Boolean => "boolean",
            Primitive::Byte => "byte",
            Primitive::Short => "short",
            Primitive::Char => "char",
            Primitive::Int => "int",
            Primitive::Long => "long",
            Primitive::Float => "float",
            Primitive::Double => "double",
        }
    }

    /// The internal name of the class that boxes it.
    pub const fn wrapper(self) -> &'static str {
        match self {
            Primitive::Boolean => "java/lang/Boolean",
            Primitive::Byte => "java/lang/Byte",
            Primitive::Short => "java/lang/Short",
            Primitive::Char => "java/lang/Character",
            Primitive::Int => "java/lang/Integer",
            Primitive::Long => "java/lang/Long",
            Primitive::Float => "java/lang/Float",
            Primitive::Double => "java/lang/Double",
        }
    }

    /// Whether a boxed value may be given where a class is expected, by internal name.
    pub fn boxes_to(self, class: &str) -> bool {
        let is_number = !matches!(self, Primitive::Boolean | Primitive::Char);
        let is_constant = matches!(
            self,
            Primitive::Int | Primitive::Long | Primitive::Float | Primitive::Double
        );
        class == self.wrapper()
            || COMMON.contains(&class)
            || (is_number && class == "java/lang/Number")
            || (is_constant && class == "java/lang/constant/ConstantDesc")
    }
}
