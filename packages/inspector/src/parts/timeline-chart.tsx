import type { JSX } from 'preact'
import type { Timeline, TimelineBucket } from '../api/contract.ts'
import { formatClock, formatMany } from './format.ts'

const HEIGHT = 64

/** Searches and calls over time as stacked bars, failed ones in another colour. */
export function TimelineChart({ timeline }: { readonly timeline: Timeline }): JSX.Element {
  const { buckets, totals, bucketMs, since, until } = timeline
  const most = Math.max(1, ...buckets.map(({ searches, calls }) => searches + calls))
  const isLong = Date.parse(until) - Date.parse(since) > 86_400_000 * 1.5
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => buckets[Math.round(share * (buckets.length - 1))],
  )
  return (
    <figure class="timeline">
      <div
        class="timeline-frame"
        role="img"
        aria-label={`Activity over time: ${totalText(totals)}`}
      >
        <span class="timeline-most" aria-hidden="true">
          {most}
        </span>
        {buckets.map((bucket) => (
          <div key={bucket.at} class="timeline-bar" title={bucketText(bucket, bucketMs, isLong)}>
            {parts(bucket).map(([kind, count]) => (
              <span
                key={kind}
                data-kind={kind}
                style={{ height: `${(count / most) * HEIGHT}px` }}
              />
            ))}
          </div>
        ))}
      </div>
      <div class="timeline-axis" aria-hidden="true">
        {ticks.map((bucket, at) => (
          <span key={at}>{bucket && formatClock(bucket.at, isLong)}</span>
        ))}
      </div>
      <figcaption class="timeline-legend">
        <span data-kind="search">{formatMany(totals.searches, 'search', 'searches')}</span>
        <span data-kind="call">{formatMany(totals.calls, 'call')}</span>
        <span data-kind="error">{formatMany(totals.errors, 'failed call')}</span>
        <span data-kind="miss">
          {formatMany(totals.misses, 'missed search', 'missed searches')}
        </span>
        <span>{formatMany(totals.tokens, 'token')} of answers</span>
      </figcaption>
    </figure>
  )
}

/** From the top of a bar to its bottom. */
function parts({ searches, calls, errors, misses }: TimelineBucket) {
  const missed = Math.min(misses, searches)
  const failed = Math.min(errors, calls)
  return (
    [
      ['error', failed],
      ['call', calls - failed],
      ['miss', missed],
      ['search', searches - missed],
    ] as const
  ).filter(([, count]) => count > 0)
}

function bucketText(bucket: TimelineBucket, bucketMs: number, isLong: boolean): string {
  const end = new Date(Date.parse(bucket.at) + bucketMs).toISOString()
  return `${formatClock(bucket.at, isLong)} to ${formatClock(end, false)}: ${totalText(bucket)}`
}

function totalText({ searches, calls, errors, misses }: Timeline['totals']): string {
  return [
    formatMany(searches, 'search', 'searches'),
    `${formatMany(misses, 'missed search', 'missed searches')}`,
    formatMany(calls, 'call'),
    `${formatMany(errors, 'failed call')}`,
  ].join(', ')
}
