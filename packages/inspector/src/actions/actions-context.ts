import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ConfigEdit } from '../api/contract.ts'

/** What just happened, and how to take it back. */
export interface Toast {
  readonly text: string
  readonly isProblem?: boolean
  /** Opens in a new tab. */
  readonly link?: { readonly title: string; readonly href: string }
  /** Resolves to the text of the next toast. */
  readonly undo?: () => Promise<string>
}

/** Changes that a person makes through the page. */
export interface Actions {
  /** Shows how an edit changes the configuration file, and writes it if the person agrees. */
  propose(edit: ConfigEdit): void
  toast(toast: Toast): void
  /** Runs something, and shows the error if it fails. Resolves to whether it worked. */
  attempt(run: () => Promise<Toast | undefined>): Promise<boolean>
}

export const ActionsContext: Context<Actions | undefined> = createContext<Actions | undefined>(
  undefined,
)

export function useActions(): Actions {
  const actions = useContext(ActionsContext)
  if (actions === undefined) throw new Error('useActions must be used inside the app.')
  return actions
}
