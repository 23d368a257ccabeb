import { BlockList, isIP } from 'node:net'

/** From where an address can be reached: the larger, the closer to this process. */
export const REACH = { everywhere: 0, network: 1, machine: 2, nowhere: 3 } as const

const RANGES: readonly [keyof typeof REACH, readonly string[]][] = [
  // Link-local addresses have the credentials of cloud machines.
  ['nowhere', ['169.254.0.0/16', 'fe80::/10', '224.0.0.0/4', 'ff00::/8', '240.0.0.0/4']],
  ['machine', ['127.0.0.0/8', '::1/128', '0.0.0.0/8', '::/128']],
  ['network', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15']],
  // Unique local addresses, and IPv4 addresses in IPv6 that somebody translates.
  ['network', ['fc00::/7', 'fec0::/10', '64:ff9b::/32', '2002::/16']],
]

const lists = RANGES.map(([reach, ranges]) => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return { reach: REACH[reach], list }
})

/** @param address an IP address */
export function addressReach(address: string): number {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return lists.find(({ list }) => list.check(address, family))?.reach ?? REACH.everywhere
}
