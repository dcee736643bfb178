/*
 * The made-up tree of slowFs.c, computed instead of stored. An inode number follows from the position in the tree: first the
 * root, then top folders, folders, the huge folder, and the entries of all folders.
 */
#include <linux/fuse.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* As given by the options. */
static uint64_t folders = 10, files = 100, huge, links, copied, again;

enum kind { TOP = 't', FOLDER = 'd', ENTRY = 'f', ROOT };
struct node { enum kind kind; uint64_t index, folder; };
/* What is below "again" has the same inode numbers, with this added for each time. */
#define TIME_AGAIN (1ull << 40)
static uint64_t tops, foldersPerTop, firstFolder, hugeFolder, firstFile;

static void layOut(void) {
  foldersPerTop = folders ? (folders + 49) / 50 : 1;
  tops = (folders + foldersPerTop - 1) / foldersPerTop;
  firstFolder = FUSE_ROOT_ID + 1 + tops;
  hugeFolder = firstFolder + folders;
  firstFile = hugeFolder + 1;
}

static struct node nodeOf(uint64_t inode) {
  inode %= TIME_AGAIN;
  if (inode == FUSE_ROOT_ID) return (struct node){.kind = ROOT};
  if (inode < firstFolder) return (struct node){.kind = TOP, .index = inode - FUSE_ROOT_ID - 1};
  if (inode < firstFile) return (struct node){.kind = FOLDER, .index = inode - firstFolder};
  uint64_t file = inode - firstFile, folder = files ? file / files : folders;
  if (folder > folders) folder = folders;
  return (struct node){.kind = ENTRY, .index = file - folder * files, .folder = folder};
}

static uint64_t childCount(struct node node) {
  uint64_t before = node.index * foldersPerTop;
  if (node.kind == ROOT) return tops + (huge > 0) + again;
  if (node.kind == TOP) return folders - before < foldersPerTop ? folders - before : foldersPerTop;
  return node.kind == ENTRY ? 0 : node.index == folders ? huge : files;
}

static uint64_t childAt(uint64_t folder, uint64_t position) {
  struct node node = nodeOf(folder);
  uint64_t times = folder - folder % TIME_AGAIN;
  if (node.kind == ROOT && position >= tops) return times + (huge && position == tops ? hugeFolder : FUSE_ROOT_ID + TIME_AGAIN);
  if (node.kind == ROOT) return times + FUSE_ROOT_ID + 1 + position;
  return times + (node.kind == TOP ? firstFolder + node.index * foldersPerTop + position : firstFile + node.index * files + position);
}

static uint64_t parentOf(uint64_t inode) {
  struct node node = nodeOf(inode);
  uint64_t times = inode - inode % TIME_AGAIN;
  if (node.kind == ENTRY) return times + firstFolder + node.folder;
  return times + (node.kind == FOLDER && inode % TIME_AGAIN != hugeFolder ? FUSE_ROOT_ID + 1 + node.index / foldersPerTop : FUSE_ROOT_ID);
}

/* Writes the name with a zero at its end into 24 bytes, and returns its length. Faster than printf for long listings. */
static unsigned nameOf(uint64_t inode, char *name) {
  struct node node = nodeOf(inode);
  if (inode % TIME_AGAIN == hugeFolder) return strlen(strcpy(name, "huge"));
  if (node.kind == ROOT) return strlen(strcpy(name, inode == FUSE_ROOT_ID ? "/" : "again"));
  char digits[24], *from = digits + sizeof digits;
  *--from = 0;
  do *--from = '0' + node.index % 10;
  while (node.index /= 10);
  *--from = node.kind;
  memcpy(name, from, digits + sizeof digits - from);
  return digits + sizeof digits - from - 1;
}

/* Inode number of the name in this folder, or 0. */
static uint64_t find(uint64_t folder, const char *name) {
  struct node node = nodeOf(folder);
  if (node.kind == ROOT && huge && strcmp(name, "huge") == 0) return childAt(folder, tops);
  if (node.kind == ROOT && again && strcmp(name, "again") == 0) return childAt(folder, tops + (huge > 0));
  char canonical[24];
  uint64_t index = strtoull(name + (*name != 0), NULL, 10);
  if (node.kind == TOP) index -= node.index * foldersPerTop;
  if (index >= childCount(node)) return 0;
  uint64_t inode = childAt(folder, index);
  nameOf(inode, canonical);
  return strcmp(name, canonical) == 0 ? inode : 0;
}

static bool isLink(struct node node) { return node.kind == ENTRY && node.index < links; }
static uint32_t modeOf(struct node node) {
  return node.kind != ENTRY ? S_IFDIR | 0755 : isLink(node) ? S_IFLNK | 0777 : S_IFREG | 0644;
}

/* All links lead to the last file of their folder. */
static unsigned targetOf(uint64_t inode, char *target) {
  uint64_t folder = parentOf(inode);
  return nameOf(childAt(folder, childCount(nodeOf(folder)) - 1), target);
}

static struct fuse_attr attributesOf(uint64_t inode) {
  struct node node = nodeOf(inode);
  char target[24];
  uint64_t first = inode % TIME_AGAIN;
  uint64_t time = 1600000000 + (copied ? 0 : first * 7919 % 100000000);
  uint64_t size = node.kind != ENTRY ? 4096 : isLink(node) ? targetOf(inode, target) : 1 + first * 7919 % 1000000;
  uint64_t subfolders = node.kind == ROOT || node.kind == TOP ? childCount(node) : 0;
  return (struct fuse_attr){
      .ino = inode, .size = size, .blocks = isLink(node) ? 0 : (size + 4095) / 4096 * 8, .blksize = 4096,
      .atime = time, .mtime = time, .ctime = time, .mode = modeOf(node),
      .nlink = node.kind == ENTRY ? 1 : 2 + subfolders, .uid = 1000 + first % 3, .gid = 1000};
}
