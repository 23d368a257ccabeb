import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

let tell: (text: string) => void = () => {}

/** Says something to those who listen to the page instead of looking at it. */
export function announce(text: string): void {
  tell(text)
}

/** Where announcements are read out. There is one, always in the page. */
export function Announcements(): JSX.Element {
  const [said, setSaid] = useState({ text: '', times: 0 })
  useEffect(() => {
    tell = (text) => setSaid(({ times }) => ({ text, times: times + 1 }))
    return () => {
      tell = () => {}
    }
  }, [])
  return (
    <div class="unseen" aria-live="polite" role="status">
      {/* the same words again are another text node, or nobody would hear them */}
      <span key={said.times}>{said.text}</span>
    </div>
  )
}
