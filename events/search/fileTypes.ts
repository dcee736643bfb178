/**
 * Extensions by type of file: those that IANA registers for video, image and audio types, the raw formats of camera makers,
 * the formats that office suites and archivers write, and the sources of common languages. An extension has one type: `ts` is
 * video (MPEG transport stream), because storages with video hold far more of those bytes than of TypeScript.
 */
export const fileTypes = {
  video:
    '264 265 3g2 3gp ari arx asf avi avchd av1 bik braw cine crm dav divx dv f4v flv gxf h264 h265 hevc ivf lrv m1v m2p m2t m2ts ' +
    'm2v m4v mj2 mjpeg mjpg mkv mod mov mp2v mp4 mpe mpeg mpg mpv mts mxf nsv ogm ogv qt r3d rm rmvb tod ts vob webm wmv y4m yuv',
  image:
    '3fr ai arw avif bmp cin cr2 cr3 crw cur dcm dcr dds dng dpx emf eps erf exr fff gif gpr hdr heic heif ico iiq indd j2k jfif jp2 jpe ' +
    'jpeg jpf jpg jpx jxl jxr k25 kdc mef mos mrw nef nrw orf pbm pcx pef pgm png pnm ppm psb psd raf raw rw2 rwl sgi sr2 srf srw ' +
    'svg svgz tex tga tif tiff tx webp wmf x3f xcf',
  audio:
    '8svx aac aax ac3 aif aifc aiff alac amr ape au bwf caf dff dsf dts ec3 eac3 flac gsm m4a m4b m4p mid midi mka mlp mp2 mp3 mpa mpc ' +
    'oga ogg opus ptx ra rf64 rx2 snd spx tak tta voc w64 wav wave weba wma wv',
  archive:
    '7z ace alz apk arc arj bz bz2 cab cpio deb dmg ear egg gz gzip img iso jar lha lz lz4 lzh lzma lzo pkg rar rpm sit sitx squashfs ' +
    'tar tbz tbz2 tgz tlz txz tzst vhd vhdx vmdk qcow2 war wim xar xz z zip zipx zst zstd',
  document:
    'azw3 csv djvu doc docm docx dot dotm dotx epub fodp fods fodt htm html key log md mobi mht mhtml msg eml numbers odg odp ods odt one ' +
    'otp ots ott pages pdf pot potm potx pps ppsm ppsx ppt pptm pptx ps pub rst rtf tsv txt vsd vsdx wpd wps xls xlsb xlsm xlsx xlt xltx xps',
  code:
    'asm awk bash bat c cc cfg clj cls cmake cmd conf cpp cs css cu cxx dart erl ex exs f f90 f95 fs go gradle groovy h hh hpp hs hxx ' +
    'inc ini ipynb java js json jsx jl kt kts less lua m4 mjs cjs mm nix php pl pm proto ps1 py pyx r rb rs sass scala scss sh sol sql ' +
    'swift tcl tf toml tsx vb vbs vhdl vue xml xsd xsl yaml yml zig zsh',
} as const
export type FileType = keyof typeof fileTypes
export const fileTypeNames = Object.keys(fileTypes) as FileType[]

/** All other files, also those without an extension. */
export const otherType = 'other'
export const chosenTypes = [...fileTypeNames, otherType] as const
export type ChosenType = (typeof chosenTypes)[number]

export const fileTypeTitles: Record<ChosenType, string> = {
  video: 'Video',
  image: 'Images',
  audio: 'Audio',
  archive: 'Archives',
  document: 'Documents',
  code: 'Code',
  other: 'Other',
}

/** Extensions of a type, in lower case. */
export const extensionsOf = (type: FileType): string[] => fileTypes[type].split(' ')

/** Extensions of all types. */
export const typedExtensions: string[] = fileTypeNames.flatMap(extensionsOf)
