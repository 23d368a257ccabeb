const MAX_LINES = 5
const MAX_LENGTH = 300

/** The last lines of a log that say something, without brackets and stack frames, shortened. */
export function recentLog(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => /[\p{L}\p{N}]{2}/u.test(line) && !/^\s+at /.test(line))
    .slice(-MAX_LINES)
    .map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line))
}
