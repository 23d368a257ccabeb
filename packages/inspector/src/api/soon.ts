/** Does it at once, then at most once in that time, however often it is asked to; the last is never lost. */
export function createSoon(act: () => void, milliseconds: number): { ask(): void; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsked = false
  const run = () => {
    isAsked = false
    timer = setTimeout(() => {
      timer = undefined
      if (isAsked) run()
    }, milliseconds)
    act()
  }
  return {
    ask() {
      isAsked = true
      if (timer === undefined) run()
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      isAsked = false
    },
  }
}
