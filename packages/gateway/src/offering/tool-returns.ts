import { type Tool, writeParameters } from 'toolsearch'

/** A type can have more fields than a script needs; `describe_tools` returns the whole schema. */
const MAX_CHARS = 300

/** What a script gets from a call, as a type, if the tool declares it. */
export function toolReturns({ outputSchema }: Tool): string | undefined {
  const written = outputSchema && writeParameters(outputSchema)
  return written !== undefined && written.length > MAX_CHARS
    ? `${written.slice(0, MAX_CHARS - 1)}…`.toWellFormed()
    : written
}
