/** Whether who asks can read what is gzipped. */
export function acceptsGzip({ headers }: Request): boolean {
  const accepted = (headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return accepted.some((one) => {
    const [name = '', ...details] = one.split(';').map((part) => part.trim())
    return (name === 'gzip' || name === '*') && !details.some((part) => /^q=0(\.0*)?$/.test(part))
  })
}
