import {
  type Icon,
  IconBrandAws,
  IconBrandAzure,
  IconBrandDropbox,
  IconBucket,
  IconCloud,
  IconServer,
} from '@tabler/icons-react'
import type { BucketType } from '#events/sources/buckets.ts'

/** Providers without their own icon have a generic one. */
const icons: Record<BucketType, Icon> = {
  S3: IconBrandAws,
  ORACLE_OBJECT_STORAGE: IconCloud,
  BACKBLAZE_B2: IconBucket,
  WASABI: IconBucket,
  AZURE: IconBrandAzure,
  DROPBOX: IconBrandDropbox,
  OTHER: IconServer,
}

/** The icon of a provider, next to its name. */
export function ProviderIcon({ type }: { type: BucketType }) {
  const OfProvider = icons[type]
  return <OfProvider size={16} stroke={1.5} aria-hidden data-provider={type} />
}
