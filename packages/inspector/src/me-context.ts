import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Me } from './api/contract.ts'

/** The person who uses the page. */
export const MeContext: Context<Me | undefined> = createContext<Me | undefined>(undefined)

export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === undefined) throw new Error('useMe must be used inside the app.')
  return me
}
