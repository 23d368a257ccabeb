import type { Tool } from '../catalogue/tool.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { toolTokens } from '../tokens/tool-tokens.ts'
import type { ToolDivision } from './tool-division.ts'

export interface LayerDivisionsOptions {
  /** Whether the upper layer has a tool of this name, visible or not. It hides the lower one. */
  isOwn(name: string): boolean
  readonly countTokens: CountTokens
}

/**
 * Two divisions as one. Deriving it from those takes a fraction of dividing thousands of shared tools
 * again for each conversation. A tool that replaces one of the lower layer takes its place.
 */
export function layerDivisions(
  lower: ToolDivision,
  upper: ToolDivision,
  { isOwn, countTokens }: LayerDivisionsOptions,
): ToolDivision {
  const layerOf = (name: string) => (isOwn(name) ? upper : lower)
  const deferral = (tool: Tool) => layerOf(tool.name).deferral(tool)
  const replaced = lower.visible.filter(({ name }) => isOwn(name))
  const visible = layer(lower.visible, upper.visible)
  let tokens: number | undefined
  return {
    visible,
    eager: join('eager', (tool) => deferral(tool) === 'eager'),
    deferrable: join('deferrable', (tool) => deferral(tool) !== 'eager'),
    ...(lower.beyond !== undefined && { beyond: lower.beyond }),
    alwaysDeferred: join('alwaysDeferred', (tool) => deferral(tool) === 'always-deferred'),
    skills: [...lower.skills.filter(({ name }) => !isOwn(name)), ...upper.skills],
    nameConflicts: [...new Set([...lower.nameConflicts, ...upper.nameConflicts])],
    get: (name) => layerOf(name).get(name),
    skill: (name) => layerOf(name).skill(name),
    ...((lower.isVisible || upper.isVisible) && {
      isVisible: (tool: Tool) => layerOf(tool.name).isVisible?.(tool) ?? true,
    }),
    isConcealed: (name) => layerOf(name).isConcealed(name),
    deferral,
    definitionTokens() {
      tokens ??= replaced
        .filter((tool) => lower.deferral(tool) !== 'eager')
        .reduce(
          (sum, tool) => sum - toolTokens(tool, countTokens),
          lower.definitionTokens() + upper.definitionTokens(),
        )
      return tokens
    },
  }

  function join(
    part: 'eager' | 'deferrable' | 'alwaysDeferred',
    belongs: (tool: Tool) => boolean,
  ): readonly Tool[] {
    return replaced.length > 0 ? visible.filter(belongs) : [...lower[part], ...upper[part]]
  }

  function layer(below: readonly Tool[], above: readonly Tool[]): readonly Tool[] {
    if (replaced.length === 0) return [...below, ...above]
    const placed = new Set(replaced.map(({ name }) => name))
    return [
      ...below.flatMap((tool) => (isOwn(tool.name) ? (upper.get(tool.name) ?? []) : [tool])),
      ...above.filter(({ name }) => !placed.has(name)),
    ]
  }
}
