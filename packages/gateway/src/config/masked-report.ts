import type { Report } from '../system/report.ts'
import { REDACTED } from './redact.ts'
import type { SecretMask } from './secret-mask.ts'

/** JWTs, also in base64 or cut, and API keys. */
const TOKEN = /\b(eyJ|ZXlK)[\w-]{4,}(\.[\w-]*)*|\btsk_\w+/g

/** Reports without secrets: identity providers and servers repeat in errors what they were sent. */
export function maskedReport(report: Report, { text }: Pick<SecretMask, 'text'>): Report {
  return (message, ...more) => report(text(message).replace(TOKEN, REDACTED), ...more)
}
