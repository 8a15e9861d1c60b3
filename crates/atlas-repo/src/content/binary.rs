//! What is not text, by its first bytes.

/// Bytes looked at for a NUL: as many as git looks at.
const HEAD_BYTES: usize = 8 * 1024;

/// Beginnings of formats that may have no NUL early on.
const MAGIC: [(&[u8], &str); 22] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\0", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x7fELF", "an ELF program"),
    (b"\xca\xfe\xba\xbe", "a class file or program"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"\0asm", "a WebAssembly module"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"OggS", "Ogg media"),
    (b"ID3", "MP3 audio"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"!<arch>\n", "an ar archive"),
];

/// Text in UTF-16 or UTF-32, told by its byte order mark.
pub(super) fn wide_text(bytes: &[u8]) -> Option<&'static str> {
    // The mark of UTF-32 little-endian begins with that of UTF-16.
    if bytes.starts_with(b"\xff\xfe\0\0") || bytes.starts_with(b"\0\0\xfe\xff") {
        Some("UTF-32")
    } else if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        Some("UTF-16")
    } else {
        None
    }
}

pub(super) fn binary(bytes: &[u8]) -> Option<&'static str> {
    if let Some((magic, what)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        // Short marks of letters alone may begin a text: those of a format are followed by other bytes.
        let letters = magic.iter().all(u8::is_ascii_alphanumeric);
        if !letters
            || std::str::from_utf8(&bytes[..bytes.len().min(HEAD_BYTES)]).is_err_and(|e| e.error_len().is_some())
        {
            return Some(what);
        }
    }
    memchr::memchr(0, &bytes[..bytes.len().min(HEAD_BYTES)]).map(|_| "a NUL byte")
}
