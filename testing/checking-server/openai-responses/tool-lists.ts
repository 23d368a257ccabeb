import { itemsOf } from './items-of.ts'
import type { ResponsesBody, WireTool } from './responses-body.ts'

/** A list of tools and where it is: `tools`, or `input[3].tools`. */
export interface ToolList {
  param: string
  tools: readonly WireTool[]
}

/** Every list of tools in a request: the declared one and those that items bring. */
export function toolLists(body: ResponsesBody): ToolList[] {
  return [
    { param: 'tools', tools: body.tools ?? [] },
    ...itemsOf(body).flatMap(({ tools }, index) =>
      Array.isArray(tools) ? [{ param: `input[${index}].tools`, tools }] : [],
    ),
  ]
}
