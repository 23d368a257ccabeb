import fc from 'fast-check'

const SURROGATES = 0x800

/**
 * Any character of Unicode, as `unit` of `fc.string()`. Unlike the unit 'binary' of fast-check, it needs no
 * table of all characters, which takes seconds to build in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 1, arbitrary: fc.nat(0x7f) },
    { weight: 1, arbitrary: fc.nat(0xffff - SURROGATES) },
    { weight: 1, arbitrary: fc.nat(0x10ffff - SURROGATES) },
  )
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + SURROGATES))
