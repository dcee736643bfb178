import { expect, test } from 'vitest'
import { bareExtension } from './extensions.ts'
import { extensionsOf, typedExtensions } from './fileTypes.ts'

test('an extension has one type, and is written as extensions are compared', () => {
  expect(typedExtensions).toEqual([...new Set(typedExtensions)])
  expect(typedExtensions).toEqual(typedExtensions.map(bareExtension))
})

test('the formats of cameras, editors and offices have the type that people expect', () => {
  expect(extensionsOf('video')).toEqual(expect.arrayContaining(['mov', 'mp4', 'mxf', 'r3d', 'braw']))
  expect(extensionsOf('image')).toEqual(expect.arrayContaining(['jpg', 'heic', 'exr', 'dpx', 'cr3', 'psd']))
  expect(extensionsOf('audio')).toEqual(expect.arrayContaining(['wav', 'mp3', 'aif']))
  expect(extensionsOf('archive')).toEqual(expect.arrayContaining(['zip', 'tgz', 'iso']))
  expect(extensionsOf('document')).toEqual(expect.arrayContaining(['pdf', 'xlsx', 'pages']))
  expect(extensionsOf('code')).toEqual(expect.arrayContaining(['py', 'rs', 'tsx']))
})
