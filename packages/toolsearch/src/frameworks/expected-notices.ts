import { BRIDGED } from '../bridge/bridge.ts'
import { hashText } from '../catalogue/hash-text.ts'
import type { Session } from '../session/session.ts'
import { beforeExpectedNotice } from '../transcript/expected-notice.ts'
import { type ExpectOption, expectedWords } from './expect-option.ts'
import { uniquePlaces } from './unique-places.ts'

/**
 * Returns a function that adds the descriptions of expected tools to the messages of the user. It takes
 * the text of each message, and undefined for other messages. The result has the text to append to a
 * message, or undefined.
 *
 * For frameworks that do not keep what an adapter adds to a request: the session remembers after which
 * message a notice belongs. It is not added to a message that already contains it, and left out if
 * the message is not part of the request.
 */
export function createExpectedNotices(
  session: Session,
  expect: ExpectOption,
): (texts: readonly (string | undefined)[]) => Promise<(string | undefined)[]> {
  /** The session would move a notice to the end if its message were missing. */
  let earlier: readonly string[] = []
  return async (texts) => {
    const places = placesOf(texts)
    const said = texts.at(-1)
    const { notices = [] } = await session.turn({
      ...expectedWords(expect, said === undefined ? said : beforeExpectedNotice(said)),
      appendOnly: {
        ...BRIDGED,
        // a notice never follows a reply or a result: news waits for the next message
        delaysNotice: said === undefined,
        places: () => [...earlier, ...places.filter((place) => place !== undefined)],
      },
    })
    earlier = notices.map(({ after }) => after)
    return places.map((place, at) => {
      const added = notices
        .filter(({ after, text }) => after === place && !texts[at]!.includes(text))
        .map(({ text }) => text)
      return place === undefined || added.length === 0 ? undefined : added.join('\n\n')
    })
  }
}

/** A unique string for each message of the user, whether it contains its notice or not. */
function placesOf(texts: readonly (string | undefined)[]): (string | undefined)[] {
  const placeOf = (text: string) => hashText(beforeExpectedNotice(text))
  return uniquePlaces(texts.map((text) => (text === undefined ? text : placeOf(text))))
}
