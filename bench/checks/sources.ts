/** Where bilingual files come from: packages that are downloaded once, into a folder outside of the repository. Nothing is installed. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

export const cache = join(tmpdir(), "effect-translate-bilingual")

/** Packages of Debian with catalogues of gettext, or with questions in many languages. Some 110 MB. */
const debian = `
  a2ps abook adduser aide-common amule-common apt apt-cacher-ng apt-listchanges aptitude-common arno-iptables-firewall
  atftpd audacity-data backuppc bash binutils-common cinnamon-l10n clamav-daemon clamav-freshclam
  claws-mail-i18n console-setup coreutils courier-base cvsd davfs2 dbconfig-common ddclient debconf-i18n debsecan
  deluge-common dictionaries-common diffutils dpkg exim4-config filezilla-common findutils
  firebird3.0-server fontconfig-config foomatic-filters gajim gawk gcc-12-locales gdm3 gedit-common gettext
  gitolite3 gnome-control-center-data gnucash-common gnumeric-common gnupg-l10n gpm grep grub-pc hexchat-common
  homebank-data iodine kdevelop-l10n keyboard-configuration krb5-config krita-l10n libc-l10n libglib2.0-data
  libgtk-3-common libgtk-4-common libpam-runtime liferea-data lightdm localepurge mailman3 mailutils-common make man-db
  mate-control-center-common mdadm meld minissdpd mutt nano nautilus-data nbd-server nodm nslcd nullmailer
  ocsinventory-agent phpmyadmin pidgin-data poedit-common postfix postgresql-common pure-ftpd-common python3-django quota
  resolvconf rhythmbox-data samba-common sed shotwell-common slapd slrn solfege sphinx-common ssl-cert synaptic sysstat
  tar tellico-data tftpd-hpa thunar-data totem-common tzdata ucf uif uptimed util-linux-locales vlc-l10n webalizer wget
  wireshark-common wordpress-l10n wvdial xfce4-settings`
  .trim()
  .split(/\s+/)

/** A package of npm, and where its catalogues are: `*` stands for a locale. */
export interface NpmCatalogue {
  readonly name: string
  readonly version: string
  readonly files: string
  /** What stands for `*` in the file with the texts. */
  readonly english: string
}

const npm: ReadonlyArray<NpmCatalogue> = [
  {
    name: "matrix-react-sdk",
    version: "3.114.0",
    files: "src/i18n/strings/*.json",
    english: "en_EN"
  },
  { name: "@node-red/nodes", version: "5.0.7", files: "locales/*/messages.json", english: "en-US" },
  { name: "@vee-validate/i18n", version: "4.15.1", files: "dist/locale/*.json", english: "en" },
  { name: "mirador", version: "4.0.0", files: "src/locales/*/translation.json", english: "en" },
  { name: "primelocale", version: "2.5.0", files: "*.json", english: "en" },
  { name: "video.js", version: "8.24.1", files: "dist/lang/*.json", english: "en" },
  { name: "zod-i18n-map", version: "2.27.0", files: "locales/*/zod.json", english: "en" }
]

/** The files below a folder, as paths. */
export const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/** Makes a folder by `fill`, unless it is there: whole, or not at all. */
export const once = async (folder: string, fill: (draft: string) => Promise<unknown>): Promise<string> => {
  if (existsSync(folder)) return folder
  const draft = `${folder}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  await fill(draft)
  await rename(draft, folder)
  return folder
}

const isCatalogue = (path: string) => /\.[mp]o$|\/DEBIAN\/templates$/.test(path)

const unpackDeb = async (deb: string, folder: string): Promise<void> => {
  await run("dpkg", ["-x", deb, folder])
  await run("dpkg", ["-e", deb, join(folder, "DEBIAN")])
  for (const path of await filesBelow(folder)) if (!isCatalogue(path)) await rm(path)
}

/** Names of those packages that the lists of apt have. It refuses to download any if one is missing. */
const available = async (): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run("apt-cache", ["policy", ...debian], { maxBuffer: 2 ** 26 })
  return [...stdout.matchAll(/^(\S+):\n.*\n {2}Candidate: (?!\(none\))/gm)].map(([, name]) => name!)
}

export interface Folder {
  readonly writer: string
  readonly path: string
  /** Where its catalogues are, if it is a package of npm. */
  readonly npm?: NpmCatalogue
}

const debianFolders = async (missing: (what: string) => void): Promise<ReadonlyArray<Folder>> => {
  const folder = join(cache, "debian")
  const names = await once(join(folder, "archives"), async (draft) =>
    run("apt-get", ["-qq", "download", ...(await available())], { cwd: draft })
  ).then(filesBelow, () => [])
  const archives = new Map(names.map((path) => [/([^/]+?)_[^/]*\.deb$/.exec(path)?.[1], path]))
  const found: Array<Folder> = []
  for (const writer of debian) {
    const archive = archives.get(writer)
    if (archive === undefined) missing(`${writer} of Debian`)
    else {
      const path = await once(join(folder, "files", writer), (draft) => unpackDeb(archive, draft))
      found.push({ writer, path })
    }
  }
  return found
}

const npmFolders = async (missing: (what: string) => void): Promise<ReadonlyArray<Folder>> => {
  const found: Array<Folder> = []
  for (const each of npm) {
    const id = `${each.name}@${each.version}`
    try {
      const path = await once(join(cache, "npm", id.replaceAll("/", "+")), async (draft) => {
        const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", draft, id])
        const archive = join(draft, stdout.trim())
        await run("tar", ["-xzf", archive, "-C", draft])
        await rm(archive)
      })
      found.push({ writer: each.name, path: join(path, "package"), npm: each })
    } catch {
      missing(id)
    }
  }
  return found
}

/** All packages that could be had, as folders. What is missing is told. */
export const fetchFolders = async (missing: (what: string) => void): Promise<ReadonlyArray<Folder>> => [
  ...(await debianFolders(missing)),
  ...(await npmFolders(missing))
]
