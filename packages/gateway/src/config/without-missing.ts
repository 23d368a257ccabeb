/** An object without the properties that are undefined. */
export function withoutMissing<Shape extends object>(
  values: {
    readonly [Key in keyof Shape]-?: Shape[Key] | undefined
  },
): Shape {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Shape
}
