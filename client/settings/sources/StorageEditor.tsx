import type { ComponentType } from 'react'
import { type SourceKind, sourceOfType } from '#events/sources/kinds.ts'
import { ArchiwareEditor } from './archiwares/ArchiwareSection.tsx'
import { BucketEditor } from './buckets/BucketSection.tsx'
import { FileStorageEditor } from './file-storages/FileStorageSection.tsx'
import { PowerScaleEditor } from './power-scales/PowerScaleSection.tsx'
import type { EditorProps } from './SourceEditor.tsx'

const editors: Record<SourceKind, ComponentType<EditorProps>> = {
  fileStorage: FileStorageEditor,
  networkShare: FileStorageEditor,
  bucket: BucketEditor,
  powerScale: PowerScaleEditor,
  archiware: ArchiwareEditor,
}

/** Edits or deletes a storage of any type. */
export function StorageEditor({ type, ...props }: EditorProps & { type: string }) {
  const kind = sourceOfType(type)?.kind
  const Editor = kind && editors[kind]
  return Editor ? <Editor {...props} /> : null
}
