import type { Gateway } from '../offering/gateway.ts'
import type { ToolOrigin } from '../offering/synced-tools.ts'
import type { SkillFile } from '../skills/skill-entry.ts'
import { fileOf } from '../skills/skill-names.ts'
import type { ToolReport } from './api.ts'

/** About as many bytes of English text are one token. */
const BYTES_PER_TOKEN = 4

/** What reading the `SKILL.md` of a skill costs, by its size: its content is not read for a report. */
export function skillTokens({ skill }: Pick<ToolOrigin, 'skill'>): number {
  const { uri, resources } = skill!.entry
  const { size = 0 } = resources.find((file) => file.uri === uri) ?? {}
  return fileTokens({ size })
}

/** What reading a file of a skill costs, by its size. */
export function fileTokens({ size }: Pick<SkillFile, 'size'>): number {
  return Math.ceil(size / BYTES_PER_TOKEN)
}

/** The files of a skill, and those of the tools it names that exist. Undefined for a tool. */
export function skillReport(
  origin: ToolOrigin,
  { toolSearch, toolsNamedBy }: Pick<Gateway, 'toolSearch' | 'toolsNamedBy'>,
): ToolReport['skill'] {
  if (!origin.skill) return undefined
  const { uri, resources } = origin.skill.entry
  return {
    files: resources.map(({ uri: file, size, digest }) => ({
      path: fileOf(uri, file),
      size,
      digest,
    })),
    // A skill that waits for approval is not in the catalogue, and a person decides about it.
    tools: toolsNamedBy(origin).filter(toolSearch.catalogue.has),
  }
}
