import type { JSX } from 'preact'
import { useOverview } from '../overview-context.ts'

/** Why the page cannot edit the configuration file; undefined if it can. */
export function useEditingProblem(): string | undefined {
  const { value } = useOverview()
  if (value === undefined || value.editing.isPossible) return undefined
  return value.editing.reason ?? 'The configuration file cannot be edited.'
}

/** Says why the buttons next to it are disabled. */
export function EditingNote(): JSX.Element | null {
  const problem = useEditingProblem()
  return problem === undefined ? null : <p class="muted">{problem}</p>
}
