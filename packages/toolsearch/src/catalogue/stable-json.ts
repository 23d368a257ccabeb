import { compareNames } from './compare-names.ts'

/** JSON with sorted keys: equal data results in equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => compareNames(a, b)))
  })
}
