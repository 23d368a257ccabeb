import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

let say: (text: string) => void = () => {}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  say(text)
}

/** The live region for announcements. The page contains exactly one. */
export function Announcements(): JSX.Element {
  const [message, setMessage] = useState({ text: '', times: 0 })
  useEffect(() => {
    say = (text) => setMessage(({ times }) => ({ text, times: times + 1 }))
    return () => {
      say = () => {}
    }
  }, [])
  return (
    <div class="visually-hidden" aria-live="polite" role="status">
      {/* The key makes a repeated text a new node; screen readers ignore unchanged ones. */}
      <span key={message.times}>{message.text}</span>
    </div>
  )
}
