//! A macro for small indexable enums.

/// Declares a field-less enum with `COUNT`, `ALL`, `index` and `from_index`.
///
/// `from_index` is a `match`, which the optimizer folds into a range check, so the enums need no `unsafe` and keep
/// their niche (`Option<Square>` is one byte).
macro_rules! index_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$vmeta:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, bytemuck::CheckedBitPattern)]
        #[repr(u8)]
        $vis enum $name { $($(#[$vmeta])* $variant),* }

        impl $name {
            /// Every value, in index order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),*];
            /// The number of values.
            pub const COUNT: usize = [$(stringify!($variant)),*].len();

            /// The index of the value in [`Self::ALL`].
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value at `index`, if there is one.
            #[inline(always)]
            pub const fn from_index(index: usize) -> Option<Self> {
                // Associated constants can be patterns, of types because those are written like the values. Comparisons
                // in guards would be tried one by one by constant evaluation.
                $(
                    enum $variant {}
                    impl $variant {
                        const INDEX: usize = $name::$variant as usize;
                    }
                )*
                match index {
                    $($variant::INDEX => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        const _: () = assert!(size_of::<$name>() == size_of::<Option<$name>>());
    };
}

pub(crate) use index_enum;
