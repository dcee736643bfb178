/** Limits and switches of confirmed facts, which may change while the simulator runs. Sizes in bytes, times in simulated milliseconds. */
export type Behavior = {
  /** Errors as a list, by fields, or as plain text. `mixed` names the fields of invalid bodies and lists other errors. */
  errorShape: 'mixed' | 'list' | 'fields' | 'text'
  /** The `total` of lists is too low by this number. */
  totalLag: number
  limitRequests: number
  limitWindowMs: number
  /** Smallest part of S3 except the last one. */
  s3MinPartBytes: number
  s3MaxParts: number
  b2MinPartBytes: number
  /** Chunks of GCS except the last one are multiples of this. */
  gcsChunkBytes: number
  /** Largest body of one Put Blob or Put Block. */
  azureMaxBytes: number
  /** Time that keyframes and transfers take. */
  jobMs: number
}

const MiB = 1_024 * 1_024

export const defaultBehavior = (): Behavior => ({
  errorShape: 'mixed',
  totalLag: 0,
  limitRequests: 1_000,
  limitWindowMs: 20_000,
  s3MinPartBytes: 5 * MiB,
  s3MaxParts: 10_000,
  b2MinPartBytes: 5_000_000,
  gcsChunkBytes: 256 * 1_024,
  azureMaxBytes: 5_000 * MiB,
  jobMs: 5_000,
})
