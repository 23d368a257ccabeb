/** Copies the numbers to the start of a longer array and returns that. */
export function enlarge<Numbers extends Int32Array | Uint32Array | Float32Array | Float64Array>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from)
  return to
}
