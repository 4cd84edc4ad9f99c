//! Access flags.

/// Access flags of classes, fields and methods: one `u16` whose meaning depends on the owner.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct AccessFlags(pub u16);

macro_rules! flags {
    ($($(#[doc = $doc:literal])* $name:ident = $bit:literal;)*) => {
        impl AccessFlags {
            $($(#[doc = $doc])* #[inline] pub const fn $name(self) -> bool { self.0 & $bit != 0 })*
        }
    };
}

flags! {
    /// Visible everywhere.
    is_public = 0x0001;
    /// Visible inside the nest only.
    is_private = 0x0002;
    /// Visible in the package and to subclasses.
    is_protected = 0x0004;
    /// A member of the class, not of its instances.
    is_static = 0x0008;
    /// A class without subclasses, a method that is not overridden, a field that is assigned once.
    is_final = 0x0010;
    /// A method that holds the monitor of its receiver or class.
    is_synchronized = 0x0020;
    /// A volatile field.
    is_volatile = 0x0040;
    /// A method the compiler made to bridge erasure.
    is_bridge = 0x0040;
    /// A field that serialization leaves out.
    is_transient = 0x0080;
    /// A method with variable arity.
    is_varargs = 0x0080;
    /// A method implemented outside Java.
    is_native = 0x0100;
    /// An interface.
    is_interface = 0x0200;
    /// A class that cannot be instantiated, or a method without a body.
    is_abstract = 0x0400;
    /// A `strictfp` method.
    is_strict = 0x0800;
    /// Not in the source.
    is_synthetic = 0x1000;
    /// An annotation interface.
    is_annotation = 0x2000;
    /// An enum class, or a field that holds one of its constants.
    is_enum = 0x4000;
    /// A module descriptor.
    is_module = 0x8000;
}

#[cfg(test)]
mod tests {
    use super::AccessFlags;

    #[test]
    fn each_flag_is_its_own_bit() {
        let flags = AccessFlags(0x0001 | 0x0008 | 0x0020 | 0x1000);
        assert!(flags.is_public() && flags.is_static() && flags.is_synchronized() && flags.is_synthetic());
        assert!(!flags.is_private() && !flags.is_native() && !flags.is_volatile() && !flags.is_module());
        assert!(AccessFlags(0x40).is_volatile() && AccessFlags(0x40).is_bridge());
        assert!(AccessFlags(0x80).is_varargs() && AccessFlags(0x80).is_transient());
    }
}
