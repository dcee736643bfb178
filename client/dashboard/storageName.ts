const bucketPrefix = 'S3-BUCKET-'

/** The name of a storage as it is shown: that of a bucket without what says that it is one. */
export const storageName = ({ name, type }: { name: string; type: string }): string =>
  type === 'AWS-S3' && name.startsWith(bucketPrefix) ? name.slice(bucketPrefix.length) : name
