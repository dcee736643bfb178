import { sources } from '#events/sources/kinds.ts'
import type { S3Type } from '#events/sources/regions.ts'
import { addressFault } from '../http/addresses.ts'
import { atField, ScanFailed } from '../system.ts'

/** Location of a store: a provider's region, with Oracle's namespace, or the address of a Custom S3. */
export type StorePlace = { type: S3Type; region?: string; endpoint?: string; namespace?: string; bucket?: string }

type Provider = {
  /** Its endpoint in a region; undefined where the SDK knows it, or it is typed. */
  endpoint?: (region: string, namespace: string) => string
  /** The region in a host's name, where redirects name the host alone. */
  regionOfHost?: RegExp
}

export const providers: Record<S3Type, Provider> = {
  S3: {
    regionOfHost: /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.(?:com|com\.cn|eu)$/,
  },
  ORACLE_OBJECT_STORAGE: {
    endpoint: (region, namespace) => `https://${namespace}.compat.objectstorage.${region}.oci.customer-oci.com`,
  },
  BACKBLAZE_B2: {
    endpoint: (region) => `https://s3.${region}.backblazeb2.com`,
    regionOfHost: /(?:^|\.)s3\.([a-z0-9-]+)\.backblazeb2\.com$/,
  },
  WASABI: {
    endpoint: (region) => `https://s3.${region}.wasabisys.com`,
    regionOfHost: /(?:^|\.)s3\.([a-z0-9-]+)\.wasabisys\.com$/,
  },
  OTHER: {},
}

/**
 * Server whose limits the requests to a bucket share: Amazon limits the requests of each bucket, other providers those of an account, which
 * is known by its endpoint.
 */
export function serverOf(place: StorePlace): string {
  const region = regionOf(place)
  const endpoint = endpointOf(place, region)
  return endpoint === undefined ? `${place.bucket ?? ''} in ${region}` : new URL(endpoint).host
}

/** Name of a store in messages. */
export const nameOf = ({ type, endpoint = '' }: StorePlace): string =>
  type === 'OTHER' ? `The endpoint ${endpoint.replace(/\/+$/, '')}` : sources.bucket.types[type]

/** The region in which requests are signed; a Custom S3 has one only if somebody typed it. */
export function regionOf({ type, region = '', bucket = '' }: StorePlace): string {
  if (type === 'S3') return accessPoint.exec(bucket)?.[1] ?? region
  return region === '' && type === 'OTHER' ? 'us-east-1' : region
}

/** ARN of an access point of Amazon, which stands for the name of a bucket, with its region. */
const accessPoint = /^arn:aws[a-z-]*:s3:([a-z0-9-]+):\d{12}:accesspoint[:/][a-z0-9-]{3,50}$/

/**
 * The endpoint of a store in a region; undefined for Amazon's, which the SDK knows. Throws `ScanFailed` with what is wrong, so that no
 * text that was typed leads to another host than people see.
 */
export function endpointOf(place: StorePlace, region: string): string | undefined {
  const { type, endpoint = '', namespace = '' } = place
  if (!isRegion(region)) throw atField(new ScanFailed(`'${region}' is not a region`), 'region')
  if (type === 'OTHER') return typedEndpoint(endpoint)
  if (type === 'ORACLE_OBJECT_STORAGE' && !/^[a-z0-9][a-z0-9_-]{0,62}$/i.test(namespace))
    throw atField(
      new ScanFailed(namespace === '' ? 'The namespace is missing' : `'${namespace}' is not an Oracle namespace`),
      'namespace',
    )
  return providers[type].endpoint?.(region, namespace)
}

export const isRegion = (text: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/i.test(text)

function typedEndpoint(endpoint: string): string {
  const fault = addressFault(endpoint)
  if (fault) throw atField(new ScanFailed(`The URL ${fault}`), 'host')
  return new URL(endpoint).href.replace(/\/+$/, '')
}

/** Throws `ScanFailed` for a name that no provider gives to a bucket; Amazon also takes the ARN of an access point. */
export function checkBucket({ type, bucket = '' }: StorePlace): void {
  if (type === 'S3' && bucket.startsWith('arn:')) return checkAccessPoint(bucket)
  if (!/^[a-z0-9][a-z0-9._-]{0,254}$/i.test(bucket) || bucket.includes('..'))
    throw atField(
      new ScanFailed(bucket === '' ? 'The name of the bucket is missing' : `'${bucket}' is not a bucket name`),
      'name',
    )
}

function checkAccessPoint(arn: string): void {
  if (/^arn:[^:]*:s3::\d+:accesspoint[:/][^/]+\.mrap$/.test(arn))
    throw atField(
      new ScanFailed('Multi-region access points are not supported. Enter the access point of one region.'),
      'name',
    )
  if (!accessPoint.test(arn))
    throw atField(
      new ScanFailed(
        `'${arn}' is not the ARN of an access point, such as arn:aws:s3:eu-west-1:123456789012:accesspoint/films`,
      ),
      'name',
    )
}
