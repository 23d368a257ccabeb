import type { Tool } from '../catalogue/tool.ts'

/**
 * Numbers the tools, for use as array indexes. A new tool reuses the slot of a deleted one. Two
 * instances that receive the same changes in the same order assign the same slots.
 */
export interface ToolSlots {
  /** By slot; undefined if the slot is free. */
  readonly tools: readonly (Tool | undefined)[]
  /** By slot, the position in the order of arrival. A replaced tool keeps its position. */
  readonly places: readonly number[]
  of(name: string): number | undefined
  count(): number
  /** Returns the slot of the tool. A replaced tool keeps its slot. */
  set(tool: Tool): number
  /** Returns the slot that became free, or undefined for an unknown name. */
  delete(name: string): number | undefined
}

/** Reads each tool once for each function, until `forget` is called because a tool has changed. */
export function createVisibleSlots({ tools }: Pick<ToolSlots, 'tools'>): {
  readonly marks: (isVisible: (tool: Tool) => boolean) => Uint8Array
  readonly forget: () => void
} {
  let known = new WeakMap<(tool: Tool) => boolean, Uint8Array>()
  return {
    marks(isVisible) {
      const before = known.get(isVisible)
      if (before) return before
      const marks = marksOf(tools, isVisible)
      known.set(isVisible, marks)
      return marks
    },
    forget() {
      known = new WeakMap()
    },
  }
}

/** By slot: 1 if the tool is visible. */
export function marksOf(tools: ToolSlots['tools'], isVisible: (tool: Tool) => boolean): Uint8Array {
  return Uint8Array.from(tools, (tool) => (tool && isVisible(tool) ? 1 : 0))
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
