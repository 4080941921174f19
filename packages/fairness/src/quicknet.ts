import { BEACON_SCHEME, type BeaconInfo } from './beacon.ts'

/**
 * drand's quicknet, the public beacon of the production profile, as its network publishes it.
 * A verifier takes the key from here, never from the operator.
 */
export const QUICKNET: BeaconInfo = {
  kind: 'drand',
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  scheme: BEACON_SCHEME,
  period: 3,
  genesisTime: 1_692_803_367,
}

/**
 * Its public relays (docs.drand.love/developer/http-api) on the port that every network lets through, of two operators:
 * drand.sh and Cloudflare. None is trusted. They are asked in this order, another operator's first.
 */
export const QUICKNET_HOSTS: readonly string[] = [
  'https://api.drand.sh',
  'https://drand.cloudflare.com',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
]
