import type { MediaField } from './fields.ts'

/**
 * Yes/no fields about a media file and the other files that the caller sees in the same snapshot, on any storage. Names are compared ignoring
 * case, without extensions, and without endings of words or sizes. `needs` is a field of the files that they are about. Files that
 * weren't read, or lack a value to compare, are neither yes nor no. Hard links and copies of the same content are not another file.
 *
 * `hasProxy`: another video has the same name, without an ending such as `_proxy`, `.lowres` or `-h264`, a duration within half a second, and
 * either a smaller picture or less than half the bit rate.
 *
 * `hasOtherSizes`: another image has the same name, without an ending such as `-1024x768`, `_2048px`, `@2x` or `-scaled`; proportions within
 * 1 %, turned or not; and a longer side that differs by more than 1 %, because raw and developed photos differ by a few pixels. Cameras repeat
 * names, such as `IMG_0001`, so a wrong match is worse than a missed one: both have the same time of taking, or one of the times is unknown or
 * midnight, and they are in the same folder or one is directly above the other's. If both cameras are known, they are the same.
 */
export const mediaRelations = {
  'metadata.video.hasProxy': { title: 'Has a proxy', needs: 'video.width' },
  'metadata.image.hasOtherSizes': { title: 'Other sizes of the picture exist', needs: 'image.width' },
} as const satisfies Record<`metadata.${string}`, { title: string; needs: MediaField }>
export type MediaRelation = keyof typeof mediaRelations

export const isMediaRelation = (name: string): name is MediaRelation => Object.hasOwn(mediaRelations, name)
export const mediaRelationNames = Object.keys(mediaRelations) as MediaRelation[]
