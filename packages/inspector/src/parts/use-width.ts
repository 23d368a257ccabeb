import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The current width of an element; 0 before it is mounted. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return
    const measure = () => setWidth(Math.floor(target.getBoundingClientRect().width))
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
