import { describe, expect, it } from 'vitest'
import { networkOf, networksOf } from './network-of.ts'

const NETWORKS: [address: string | undefined, network: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  [undefined, 'unknown'],
  ['', 'unknown'],
  ['no address', 'unknown'],
  ['192.0.2.256', 'unknown'],
  ['192.0.2.256:80', 'unknown'],
]

describe('the network that is counted', () => {
  it.each(NETWORKS)('of %j is %s, and of the result again', (address, network) => {
    expect(networkOf(address)).toBe(network)
    expect(networkOf(network)).toBe(network)
  })
})

it('the networks that a caller counts for are the /64, the /56 and the /48 of an IPv6 address, and an IPv4 address alone', () => {
  expect(networksOf(networkOf('2001:db8:7:1a2b::1'))).toEqual([
    { name: '2001:db8:7:1a2b::/64', share: 1 },
    { name: '2001:db8:7:1a00::/56', share: 4 },
    { name: '2001:db8:7::/48', share: 16 },
  ])
  expect(networksOf(networkOf('2001:db8:7:1aff::1'))[1]?.name).toBe('2001:db8:7:1a00::/56')
  expect(networksOf(networkOf('2001:db8:7:b::1'))[1]?.name).toBe('2001:db8:7:0::/56')
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', 'no address', undefined]) {
    const network = networkOf(address)
    expect(networksOf(network)).toEqual([{ name: network, share: 1 }])
  }
})
