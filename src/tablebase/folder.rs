//! Looking for table files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use once_cell::sync::OnceCell;

use super::Tablebase;

/// Something in a path list that is of no use.
#[derive(Debug, thiserror::Error)]
pub enum Warning {
    /// The folder cannot be listed.
    #[error("cannot read the folder {}: {reason}", path.display())]
    Folder {
        /// The folder as the list names it.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The folder holds no file with the name of a table.
    #[error("no Syzygy tables in {}", path.display())]
    NoTables {
        /// The folder as the list names it.
        path: PathBuf,
    },
    /// The file is named like a table and is none.
    #[error("{} is not a Syzygy table: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: FileFault,
    },
}

/// Why a file is no table.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The name is not of the form `KQvKR`, or has more men than tables can have.
    #[error("the name does not say which men it is for")]
    Name,
    /// Every table is some blocks of 64 bytes and 16 bytes more.
    #[error("the size does not fit, it is truncated or damaged")]
    Size,
    /// The first four bytes are wrong.
    #[error("it does not begin like a table")]
    Magic,
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// What a path list gave.
#[derive(Debug)]
pub struct Opened {
    /// The tables; without any file it answers no question.
    pub tablebase: Tablebase,
    /// How many table files it has.
    pub files: usize,
    /// What was passed over.
    pub warnings: Vec<Warning>,
}

impl Tablebase {
    /// Collects the tables of all folders of a list, whose parts stand between the separators of
    /// the platform: `;` on Windows, `:` elsewhere. Empty parts are passed over.
    pub fn open(path_list: &str) -> Opened {
        let mut opened = Opened {
            tablebase: Tablebase {
                tables: shakmaty_syzygy::Tablebase::new(),
                fault: OnceCell::new(),
            },
            files: 0,
            warnings: Vec::new(),
        };
        for folder in std::env::split_paths(path_list) {
            if !folder.as_os_str().is_empty() {
                opened.add_folder(&folder);
            }
        }
        opened
    }
}

impl Opened {
    fn add_folder(&mut self, folder: &Path) {
        let listing: io::Result<Vec<PathBuf>> = fs::read_dir(folder)
            .and_then(|entries| entries.map(|entry| entry.map(|e| e.path())).collect());
        let mut paths = match listing {
            Ok(paths) => paths,
            Err(reason) => {
                let path = folder.to_path_buf();
                return self.warnings.push(Warning::Folder { path, reason });
            }
        };
        paths.sort();
        let mut any = false;
        for path in paths {
            let Some(magic) = magic(&path) else { continue };
            any = true;
            match self.add_file(&path, magic) {
                Ok(()) => self.files += 1,
                Err(reason) => self.warnings.push(Warning::File { path, reason }),
            }
        }
        if !any {
            self.warnings.push(Warning::NoTables { path: folder.to_path_buf() });
        }
    }

    fn add_file(&mut self, path: &Path, magic: [u8; 4]) -> Result<(), FileFault> {
        let mut head = [0; 4];
        match File::open(path)?.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(FileFault::Size);
            }
            other => other?,
        }
        if head != magic {
            return Err(FileFault::Magic);
        }
        self.tablebase.tables.add_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => FileFault::Name,
            io::ErrorKind::InvalidData => FileFault::Size,
            _ => FileFault::Io(error),
        })
    }
}

/// How a file of this extension begins; `None` for files that are not named like tables.
fn magic(path: &Path) -> Option<[u8; 4]> {
    match path.extension()?.to_str()? {
        "rtbw" => Some([0x71, 0xE8, 0x23, 0x5D]),
        "rtbz" => Some([0xD7, 0x66, 0x0C, 0xA5]),
        _ => None,
    }
}
