/** Adds a number to each place that occurred before. Leaves undefined as it is. */
export function uniquePlaces<Place extends string | undefined>(places: readonly Place[]): Place[] {
  const counts = new Map<Place, number>()
  return places.map((place) => {
    if (place === undefined) return place
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    return count === 1 ? place : (`${place}:${count}` as Place)
  })
}
