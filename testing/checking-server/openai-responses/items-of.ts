import type { ResponsesBody, WireItem } from './responses-body.ts'

/** The items of the input; a plain string is a user's message and no item of interest. */
export function itemsOf({ input }: ResponsesBody): readonly WireItem[] {
  return Array.isArray(input) ? (input as WireItem[]) : []
}
