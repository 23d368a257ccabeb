/** A description can be megabytes by mistake. */
const MAX_READ = 500

const END = /[.!?](?=\s+[\p{Lu}\p{Lo}]|\s*$)|[。！？]|\n\s*\n/u

/** The first sentence or paragraph of a description, without the punctuation at its end. */
export function firstSentence(description: string): string {
  const start = description.trimStart().slice(0, MAX_READ)
  const end = END.exec(start)
  return (end ? start.slice(0, end.index) : start).trimEnd()
}
