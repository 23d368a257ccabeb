const PREFIX = 'place-'

/**
 * The id of a call to which the model gave none: its place among the calls of the reply. It is the
 * same for a streamed call and for the whole reply, and is never sent.
 */
export function placeId(place: number): string {
  return `${PREFIX}${place}`
}

/** The id the model gave, if it did. */
export function givenId(id: string | undefined): string | undefined {
  return id?.startsWith(PREFIX) ? undefined : id
}
