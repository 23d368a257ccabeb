import type { Tool } from '../catalogue/tool.ts'

/**
 * A small number for each tool: a slot of arrays. That of a deleted tool goes to the next new one.
 * Two that are told of the same changes in the same order give the same slots.
 */
export interface ToolSlots {
  /** By slot; undefined for one that is free. */
  readonly tools: readonly (Tool | undefined)[]
  /** By slot, the order of arrival. A replaced tool keeps its place. */
  readonly places: readonly number[]
  of(name: string): number | undefined
  count(): number
  /** The slot of the tool, which is the one it has if it replaces another of its name. */
  set(tool: Tool): number
  /** Gives the slot that is now free. A name that is not there is ignored. */
  delete(name: string): number | undefined
}

export function createToolSlots(): ToolSlots {
  const slots = new Map<string, number>()
  const tools: (Tool | undefined)[] = []
  const places: number[] = []
  const free: number[] = []
  let nextPlace = 0

  return {
    tools,
    places,
    of: (name) => slots.get(name),
    count: () => slots.size,
    set(tool) {
      let slot = slots.get(tool.name)
      if (slot === undefined) {
        slot = free.pop() ?? tools.length
        slots.set(tool.name, slot)
        places[slot] = nextPlace++
      }
      tools[slot] = tool
      return slot
    },
    delete(name) {
      const slot = slots.get(name)
      if (slot === undefined) return undefined
      slots.delete(name)
      tools[slot] = undefined
      free.push(slot)
      return slot
    },
  }
}
