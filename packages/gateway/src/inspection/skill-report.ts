import type { Tool } from 'toolsearch'
import type { ToolOrigin } from '../offering/synced-tools.ts'
import { fileOf } from '../skills/skill-names.ts'
import type { ToolReport } from './api.ts'

/** About as many bytes of English text are one token. */
const BYTES_PER_TOKEN = 4

/** What reading the `SKILL.md` of a skill costs, by its size: its content is not read for a report. */
export function skillTokens({ skill }: Pick<ToolOrigin, 'skill'>): number {
  const { uri, resources } = skill!.entry
  const { size = 0 } = resources.find((file) => file.uri === uri) ?? {}
  return Math.ceil(size / BYTES_PER_TOKEN)
}

/** The files of a skill, and those of the tools it mentions that exist. Undefined for a tool. */
export function skillReport(
  { skill }: ToolOrigin,
  get: (name: string) => Tool | undefined,
  name: string,
): ToolReport['skill'] {
  if (!skill) return undefined
  const { uri, resources } = skill.entry
  const tools = get(name)?.skill?.tools ?? []
  return {
    files: resources.map(({ uri: file, size, digest }) => ({
      path: fileOf(uri, file),
      size,
      digest,
    })),
    tools: tools.filter((each) => get(each) !== undefined),
  }
}
