import type { Page } from 'playwright-core'

/** The times of one keystroke in the search lab, in milliseconds. */
export interface Keystroke {
  /** From the key press to the complete answer of the gateway. */
  readonly toAnswer: number
  /** From the answer until the page has rendered it: everything the page itself does. */
  readonly toRender: number
  /** From the answer to the end of the first frame that shows it. */
  readonly toPaint: number
  /** How many frames that took: 1 if the next frame shows the answer. */
  readonly frames: number
}

interface Probe {
  pressed: number
  answered: number
  rendered: number
  painted: number
  frames: number
}

declare global {
  interface Window {
    probe: Probe
  }
}

/** Records when a key is pressed, its answer arrives and the answer is painted. Call before the page loads. */
export async function installProbe(page: Page): Promise<void> {
  // tsx names functions with a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (value) => value')
  await page.addInitScript(() => {
    const probe: Probe = { pressed: 0, answered: 0, rendered: 0, painted: 0, frames: 0 }
    window.probe = probe
    const reset = (event: Event) => {
      Object.assign(probe, { pressed: event.timeStamp, answered: 0, rendered: 0, painted: 0 })
    }
    let frame = 0
    const countFrames = () => {
      frame++
      requestAnimationFrame(countFrames)
    }
    requestAnimationFrame(countFrames)
    let frameOfAnswer = 0
    addEventListener('keydown', reset, { capture: true })
    const { fetch } = window
    window.fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).startsWith('api/search?')) return response
      const json = response.json.bind(response)
      response.json = async () => {
        const value: unknown = await json()
        probe.answered = performance.now()
        frameOfAnswer = frame
        return value
      }
      return response
    }
    new MutationObserver((changes) => {
      const isResult = changes.some(
        ({ target }) =>
          (target instanceof Element ? target : target.parentElement)?.closest('.column') !== null,
      )
      if (!isResult || probe.answered === 0 || probe.rendered !== 0) return
      probe.rendered = performance.now()
      // A task that is posted in the last frame callback runs after the frame is painted.
      requestAnimationFrame(() => {
        probe.frames = frame - frameOfAnswer
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          probe.painted ||= performance.now()
        }
        port2.postMessage(undefined)
      })
    }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
  })
}

/** Types queries one key at a time, each after the answer to the previous one is painted. */
export async function measureTyping(page: Page, queries: readonly string[]): Promise<Keystroke[]> {
  const field = page.getByLabel('Query', { exact: true })
  const strokes: Keystroke[] = []
  for (const query of queries) {
    await field.fill('')
    for (const key of query) {
      await field.press(key)
      // A space at the end does not change the query, so nothing is searched.
      if (key === ' ') continue
      const { pressed, answered, rendered, painted, frames } = await page
        .waitForFunction(() => (window.probe.painted > 0 ? { ...window.probe } : undefined))
        .then((handle) => handle.jsonValue() as Promise<Probe>)
      strokes.push({
        toAnswer: answered - pressed,
        toRender: rendered - answered,
        toPaint: painted - answered,
        frames,
      })
    }
  }
  return strokes
}
